"""What exists in the simulated cloud, kept in a folder so that several provider processes share it."""

from __future__ import annotations

import fcntl
import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from clusterprint_simcloud import cache


class ApiError(Exception):
    """The cloud refuses; the message is what Terraform shows."""


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


class Contents(msgspec.Struct):
    """Everything in the cloud at one moment."""

    records: dict[str, Record] = {}
    serial: int = 0
    # How often each fault rule has matched, by its position.
    matches: dict[str, int] = {}
    # Names that may be given once, by pool: IP addresses of a subnetwork, the services of a project...
    leases: dict[str, dict[str, str]] = {}
    # Zones that have no machines left to give, each with what the API says for it.
    shortages: dict[str, str] = {}
    # Where Terraform runs, the latest first: a provider takes relative paths from there.
    folders: list[str] = []

    def get(self, kind: str, identity: str) -> Record | None:
        """The record of one Terraform type and id."""
        return self.records.get(key(kind, identity))

    def of(self, *kinds: str) -> list[Record]:
        """All records of some types, oldest first."""
        return [record for record in self.records.values() if record.type in kinds]

    def add(self, record: Record) -> Record:
        """Put a record in; the caller has made sure that its key is free."""
        self.records[record.key] = record
        return record

    def remove(self, record: Record) -> None:
        """Take a record out, with everything that it owns and has leased."""
        self.records.pop(record.key, None)
        for pool in self.leases.values():
            for name in [name for name, holder in pool.items() if holder == record.key]:
                del pool[name]
        for owned in self.owned_by(record):
            self.remove(owned)

    def owned_by(self, record: Record) -> list[Record]:
        """What a record has made and takes with it."""
        return [one for one in self.records.values() if one.owner == record.key]

    def users_of(self, record: Record) -> list[Record]:
        """What keeps a record from being deleted, without what would go with it."""
        return [
            one for one in self.records.values() if record.key in one.references and one.owner != record.key
        ]

    def next_serial(self) -> int:
        """A number that is given once."""
        self.serial += 1
        return self.serial


class _Kept(NamedTuple):
    """The contents as they were last read or written here: decoded, and each part as its bytes.

    `stamp` tells whether another process has written since.
    """

    stamp: tuple[int, int, int]
    contents: Contents
    records: dict[str, bytes]
    rest: bytes


class Cloud:
    """The contents in their folder, with a log of the calls that changed them.

    A cluster has a record for each of its nodes, and each call looks at all of them. So what is known here is
    not decoded again: only records that changed are, which also keeps them apart from what callers hold.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._threads = threading.RLock()
        self._contents = folder / "contents.json"
        self._calls = folder / "calls.jsonl"
        self._kept: _Kept | None = None

    @contextmanager
    def open(self) -> Iterator[Contents]:
        """Read the contents, let the caller change them, write them: nothing if the caller raises."""
        with self._locked():
            kept = self._load()
            self._kept = None  # until it is known what the caller has done
            yield kept.contents
            self._kept = self._store(kept)

    def read(self) -> Contents:
        """The contents as they are now; changes to what is returned have no effect."""
        with self._locked():
            kept = self._kept = self._load()
            return msgspec.json.decode(_joined(kept.records, kept.rest), type=Contents)

    def get(self, kind: str, identity: str) -> Record | None:
        """One record as it is now; changes to it have no effect."""
        with self._locked():
            kept = self._kept = self._load()
            found = kept.records.get(key(kind, identity))
            return None if found is None else msgspec.json.decode(found, type=Record)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self._threads, (self.folder / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _load(self) -> _Kept:
        stamp = self._stamp()
        if self._kept is not None and self._kept.stamp == stamp:
            return self._kept
        contents = (
            msgspec.json.decode(self._contents.read_bytes(), type=Contents) if any(stamp) else Contents()
        )
        records = {name: msgspec.json.encode(record) for name, record in contents.records.items()}
        return _Kept(stamp, contents, records, _rest(contents))

    def _store(self, before: _Kept) -> _Kept:
        """Write what changed, and take changed records from their bytes: nobody else holds those."""
        contents = before.contents
        records = {name: msgspec.json.encode(record) for name, record in contents.records.items()}
        rest = _rest(contents)
        if records == before.records and list(records) == list(before.records) and rest == before.rest:
            return before
        cache.write(self._contents, _joined(records, rest))
        for name, text in records.items():
            if before.records.get(name) != text:
                contents.records[name] = msgspec.json.decode(text, type=Record)
        if rest != before.rest:
            told = msgspec.json.decode(rest, type=Contents)
            told.records = contents.records
            contents = told
        return _Kept(self._stamp(), contents, records, rest)

    def _stamp(self) -> tuple[int, int, int]:
        """What changes whenever the file is written anew; zeros without one."""
        try:
            found = self._contents.stat()
        except FileNotFoundError:
            return (0, 0, 0)
        return (found.st_ino, found.st_mtime_ns, found.st_size)

    def log(self, **call: Any) -> None:
        """Append one call to the log."""
        line = json.dumps({"time": round(time.time(), 3), **call}) + "\n"
        with self._calls.open("a") as file:
            file.write(line)

    def calls(self) -> list[dict[str, Any]]:
        """The calls so far: `{time, operation, type, id, error?}`."""
        if not self._calls.exists():
            return []
        return [json.loads(line) for line in self._calls.read_text().splitlines()]

    def clear(self) -> None:
        """Forget everything."""
        self._kept = None
        for name in ("contents.json", "calls.jsonl", "faults.json"):
            (self.folder / name).unlink(missing_ok=True)

    def crash(self) -> None:
        """End this provider process at once, as a crash would; only for spawned providers."""
        os._exit(3)


def _rest(contents: Contents) -> bytes:
    """All but the records."""
    return msgspec.json.encode(
        {name: getattr(contents, name) for name in contents.__struct_fields__ if name != "records"}
    )


def _joined(records: dict[str, bytes], rest: bytes) -> bytes:
    """The contents as one JSON document."""
    entries = b",".join(msgspec.json.encode(name) + b":" + text for name, text in records.items())
    return b'{"records":{' + entries + b"}," + rest[1:]
