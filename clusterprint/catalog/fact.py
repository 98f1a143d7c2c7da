"""Fields that every entry of the catalog has, and the reading of the tables.

Tables are JSON files beside this module, one per topic. Importing the catalog reads none of them; the
first look-up in a table reads it, once.
"""

from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")

_FOLDER = Path(__file__).parent


class Fact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry of a table: what is known, from where, and how sure it is.

    `sources` are keys of `sources.json`, each optionally followed by a blank and the place inside that
    source; one that no other entry has may be an address (`https://...`), which is a source by itself.
    `date` is the day (YYYY-MM-DD) the entry was last compared with them. `uncertain` says, for a field of
    the entry, why it may be wrong or depend on the account: rules only warn about those.
    """

    sources: tuple[str, ...]
    date: str
    notes: str = ""
    uncertain: dict[str, str] = {}

    def is_certain(self, field: str) -> bool:
        """Whether nothing speaks against a field of this entry."""
        return field not in self.uncertain


def read_table(name: str, table: type[T]) -> T:
    """Read one table, for example `google/machines`.

    Raises `msgspec.ValidationError` when the file does not have the shape of `table`: a mistake in the
    catalog, which the tests find before a user does.
    """
    return msgspec.json.decode(
        (_FOLDER / f"{name}.json").read_bytes(), type=table, dec_hook=lambda kind, text: kind(text)
    )
