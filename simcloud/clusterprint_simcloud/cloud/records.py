"""The resources of a simulated cloud: decoded when asked for, encoded when somebody may have changed them.

A cluster has a record for each of its nodes, and creating one node is a call of its own. So the work of a
call must not grow with the records that it does not look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any, NamedTuple

import msgspec
from msgspec.json import encode


class Record(msgspec.Struct):
    """One resource in the cloud."""

    type: str
    id: str
    state: dict[str, Any]
    references: list[str] = []  # keys of the records that must not be deleted before this one
    owner: str = ""  # key of the record that made this one, and with which it disappears
    builtin: bool = False  # came with the project, not with a configuration

    @property
    def key(self) -> str:
        """Unique over all providers."""
        return key(self.type, self.id)


def key(kind: str, identity: str) -> str:
    """The key of the record of Terraform type `kind` with Terraform id `identity`."""
    return f"{kind} {identity}"


class Edits(NamedTuple):
    """The pending writes: records by key, new or changed, and the keys of deleted ones."""

    written: dict[str, bytes]
    removed: list[str]


class Records(MutableMapping[str, Record]):
    """Records by key, oldest first, over their encoded form.

    Whoever gets a record may change it, so those that were handed out are looked at again by `settle`.
    """

    def __init__(self, encoded: Mapping[str, bytes] | None = None) -> None:
        self._encoded = dict(encoded or {})
        self._decoded: dict[str, Record] = {}
        self._handed_out: set[str] = set()
        # Keys in their order; a record that is taken out and put back is the youngest.
        self._keys = dict.fromkeys(self._encoded)
        self._moved: set[str] = set()

    def __getitem__(self, name: str) -> Record:
        if name not in self._keys:
            raise KeyError(name)
        self._handed_out.add(name)
        return self._seen(name)

    def __setitem__(self, name: str, record: Record) -> None:
        self._keys[name] = None
        self._decoded[name] = record
        self._handed_out.add(name)

    def __delitem__(self, name: str) -> None:
        del self._keys[name]
        self._decoded.pop(name, None)
        self._handed_out.discard(name)
        self._moved.add(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, name: object) -> bool:
        return name in self._keys

    def of(self, kinds: Iterable[str]) -> list[Record]:
        """All records of some types."""
        starts = tuple(f"{kind} " for kind in kinds)
        return [self[name] for name in self._keys if name.startswith(starts)]

    def owned_by(self, owner: str) -> list[Record]:
        """The records that the one with the key `owner` has made."""
        return [self[name] for name in self._keys if self._seen(name).owner == owner]

    def users_of(self, held: str) -> list[Record]:
        """The records that refer to the one with the key `held`."""
        return [self[name] for name in self._keys if held in self._seen(name).references]

    def _seen(self, name: str) -> Record:
        """A record for our own eyes."""
        found = self._decoded.get(name)
        if found is None:
            found = self._decoded[name] = msgspec.json.decode(self._encoded[name], type=Record)
        return found

    def settle(self) -> Edits:
        """The changes since the last call; the caller owns the returned records."""
        written: dict[str, bytes] = {}
        for name in [name for name in self._keys if name in self._handed_out]:
            text = encode(self._decoded[name])
            if name in self._moved or self._encoded.get(name) != text:
                written[name] = text
                del self._decoded[name]  # ours is made from the bytes: nobody else holds it
        removed = [name for name in self._moved if name in self._encoded]
        for name in removed:
            del self._encoded[name]
        self._encoded.update(written)
        self._handed_out.clear()
        self._moved.clear()
        return Edits(written, removed)

    def take_over(self, written: Mapping[str, bytes], names: Iterable[str]) -> None:
        """Follow another process: it has `written` some records, and `names` are all, in order."""
        for name in written:
            self._decoded.pop(name, None)
        self._encoded = {name: written.get(name) or self._encoded[name] for name in names}
        self._keys = dict.fromkeys(self._encoded)
        self._decoded = {name: one for name, one in self._decoded.items() if name in self._keys}

    def copy(self) -> Records:
        """The same records, apart: to be taken only where everything is settled."""
        return Records(self._encoded)
