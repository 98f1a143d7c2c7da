"""Buckets in a file, for a world that lasts longer than one process, and that several may be in at once."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from clusterprint_simcloud import cache
from clusterprint_simcloud.gcs.store import Bucket, Fault, Store


class KeptStore(Store):
    """A store whose sessions begin with what the file has, and end with writing it."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / "buckets.json"
        self._mutex = folder / "lock"
        self._seen: tuple[int, int] | None = None
        # Rules of tests, which each process that serves the buckets counts for itself.
        rules = folder / "faults.json"
        if rules.exists():
            self.faults = msgspec.json.decode(rules.read_bytes(), type=list[Fault])

    @contextmanager
    def session(self, *, changing: bool) -> Iterator[None]:
        """The file as it is now; what changes is written, unless the caller raises."""
        with self._lock, self._mutex.open("a") as mutex:
            fcntl.flock(mutex, fcntl.LOCK_EX if changing else fcntl.LOCK_SH)
            self._load()
            # Another process may have given out later ones.
            self._generation = max(self._generation, int(time.time() * 1e6))
            try:
                yield
            except BaseException:
                self._seen = None  # the caller may have changed some of it
                raise
            if changing:
                cache.write(self._file, msgspec.json.encode(self.buckets))
                self._seen = self._edition()

    def _load(self) -> None:
        edition = self._edition()
        if edition != self._seen or edition is None:
            text = self._file.read_bytes() if edition else b"{}"
            self.buckets = msgspec.json.decode(text, type=dict[str, Bucket])
            self._seen = edition

    def _edition(self) -> tuple[int, int] | None:
        """The key of one version of the file: each version is a file of its own."""
        if not self._file.exists():
            return None
        found = self._file.stat()
        return found.st_ino, found.st_mtime_ns
