"""Where facts come from."""

from functools import cache

import msgspec

from clusterprint.catalog.fact import read_table


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A document, a data set or a program that facts were taken from.

    `date` is its own date, as exact as it is known: a year, or a day. Where it is now: `repository`
    (OWNER/NAME on GitHub, at `revision`), with `releases` if its tags that begin so are the versions of a
    component, which the Go `module` has, too; or the address of a `page`.
    """

    title: str
    date: str
    repository: str = ""
    revision: str = ""
    releases: str = ""
    module: str = ""
    page: str = ""


@cache
def _table() -> dict[str, Source]:
    return read_table("sources", dict[str, Source])


def source(key: str) -> Source | None:
    """Find a source by what an entry says: a key, or a key followed by a place inside the source.

    None for an address, which says itself what it is.
    """
    return _table().get(key.partition(" ")[0])
