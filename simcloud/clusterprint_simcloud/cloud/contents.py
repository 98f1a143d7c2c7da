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
from typing import Any

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


class Cloud:
    """The contents in their folder, with a log of the calls that changed them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._threads = threading.RLock()
        self._contents = folder / "contents.json"
        self._calls = folder / "calls.jsonl"

    @contextmanager
    def open(self) -> Iterator[Contents]:
        """Read the contents, let the caller change them, write them: nothing if the caller raises."""
        with self._threads, (self.folder / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            before = self._contents.read_bytes() if self._contents.exists() else b"{}"
            contents = msgspec.json.decode(before, type=Contents)
            yield contents
            after = msgspec.json.encode(contents)
            if after != before:
                cache.write(self._contents, after)

    def read(self) -> Contents:
        """The contents as they are now; changes to what is returned have no effect."""
        return (
            msgspec.json.decode(self._contents.read_bytes(), type=Contents)
            if self._contents.exists()
            else Contents()
        )

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
        for name in ("contents.json", "calls.jsonl", "faults.json"):
            (self.folder / name).unlink(missing_ok=True)

    def crash(self) -> None:
        """End this provider process at once, as a crash would; only for spawned providers."""
        os._exit(3)
