"""The contents of the simulated cloud, kept in a folder so that several provider processes share it."""

from __future__ import annotations

import copy
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

from clusterprint_simcloud.cloud.records import Record, Records, key
from clusterprint_simcloud.cloud.store import Store

__all__ = ["ApiError", "Cloud", "Contents", "Record", "key"]


# Where the cloud is, for programs that Terraform starts; set by the world.
CLOUD_VARIABLE = "CLUSTERPRINT_SIMULATED_CLOUD"


class ApiError(Exception):
    """The cloud refuses; the message is what Terraform shows."""


class Rest(msgspec.Struct):
    """All that is in the cloud besides the records."""

    serial: int = 0
    # How often each fault rule has matched, by its position.
    matches: dict[str, int] = {}
    # Names that may be given once, by pool: IP addresses of a subnetwork, the services of a project...
    leases: dict[str, dict[str, str]] = {}
    # Zones that have no machines left to give, each with what the API says for it.
    shortages: dict[str, str] = {}
    # Where Terraform runs, the latest first: a provider takes relative paths from there.
    folders: list[str] = []
    # Seconds that have passed in this cloud: it moves when a command enters or waits.
    clock: int = 0


class Contents:
    """Everything in the cloud at one moment."""

    def __init__(self, records: Records, rest: Rest) -> None:
        self.records = records
        self.rest = rest

    @property
    def matches(self) -> dict[str, int]:
        """How often each fault rule has matched, by its position."""
        return self.rest.matches

    @property
    def leases(self) -> dict[str, dict[str, str]]:
        """Who holds each name of a pool of names."""
        return self.rest.leases

    @property
    def shortages(self) -> dict[str, str]:
        """Zones that have no machines left to give, each with what the API says for it."""
        return self.rest.shortages

    @property
    def folders(self) -> list[str]:
        """Where Terraform runs, the latest first."""
        return self.rest.folders

    def runs_in(self, folder: str) -> None:
        """Terraform is about to run in a folder."""
        self.rest.folders = [folder, *(one for one in self.rest.folders if one != folder)]

    def get(self, kind: str, identity: str) -> Record | None:
        """The record of one Terraform type and id."""
        return self.records.get(key(kind, identity))

    def of(self, *kinds: str) -> list[Record]:
        """All records of some types, oldest first."""
        return self.records.of(kinds)

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

    def replace(self, other: Contents) -> None:
        """Have what others have, in their order."""
        self.records.clear()
        for name, record in other.records.copy().items():
            self.records[name] = record
        self.rest = copy.deepcopy(other.rest)

    def owned_by(self, record: Record) -> list[Record]:
        """The records that a record has created and that are deleted with it."""
        return self.records.owned_by(record.key)

    def users_of(self, record: Record) -> list[Record]:
        """The records that block the deletion of a record, without those deleted with it."""
        return [one for one in self.records.users_of(record.key) if one.owner != record.key]

    def next_serial(self) -> int:
        """A number that is given once."""
        self.rest.serial += 1
        return self.rest.serial


class Cloud:
    """The contents in their folder, with a log of the calls that changed them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._threads = threading.RLock()
        self._calls = folder / "calls.jsonl"
        with self._locked():
            self._store = Store(folder / "contents.sqlite")

    @contextmanager
    def open(self) -> Iterator[Contents]:
        """Read the contents, let the caller change them, write them: nothing if the caller raises."""
        with self._locked():
            try:
                contents = self._load()
                yield contents
                self._store.save(contents.records.settle(), msgspec.json.encode(contents.rest))
            except BaseException:
                self._store.forget()  # the caller may have changed some of it
                raise

    def read(self) -> Contents:
        """The contents as they are now; changes to what is returned have no effect."""
        with self._locked():
            contents = self._load()
            return Contents(contents.records.copy(), contents.rest)

    def get(self, kind: str, identity: str) -> Record | None:
        """One record as it is now; changes to it have no effect."""
        return self.read().get(kind, identity)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self._threads, (self.folder / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _load(self) -> Contents:
        self._store.refresh()
        return Contents(self._store.records, msgspec.json.decode(self._store.rest, type=Rest))

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
        with self.open() as contents:
            contents.records.clear()
            contents.rest = Rest()
            for name in ("calls.jsonl", "faults.json"):
                (self.folder / name).unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file; the contents stay."""
        with self._locked():
            self._store.close()

    def crash(self) -> None:
        """End this provider process at once, as a crash would; only for spawned providers."""
        os._exit(3)
