"""The file of a simulated cloud: one row for each record, so that a call writes only what it changed.

SQLite without waiting for the disk: what matters is that a provider process that is killed leaves the state
before its call or after it, not that the machine may lose power.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clusterprint_simcloud.cloud.records import Edits, Records

_TABLES = """
CREATE TABLE IF NOT EXISTS records (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE NOT NULL,
  edition INTEGER NOT NULL,
  text BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS rest (edition INTEGER NOT NULL, text BLOB NOT NULL);
"""


class Store:
    """The file as one process has read it. Calls of several threads must not overlap."""

    def __init__(self, path: Path) -> None:
        # Other processes are kept out by the lock of the cloud, so nothing waits here for long.
        self._database = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.executescript(_TABLES)
        self.forget()

    def forget(self) -> None:
        """Read everything again the next time."""
        self._edition = 0
        self.records = Records()
        self.rest = b"{}"

    def refresh(self) -> None:
        """Take over what other processes have written since."""
        found = self._database.execute("SELECT edition, text FROM rest").fetchone()
        edition, rest = found or (0, b"{}")
        if edition == self._edition:
            return
        written = dict(
            self._database.execute("SELECT name, text FROM records WHERE edition > ?", (self._edition,))
        )
        names = [name for (name,) in self._database.execute("SELECT name FROM records ORDER BY position")]
        self.records.take_over(written, names)
        self.rest, self._edition = rest, edition

    def save(self, edits: Edits, rest: bytes) -> None:
        """Write what has changed, all of it or nothing."""
        if not edits.written and not edits.removed and rest == self.rest:
            return
        edition = self._edition + 1
        with self._transaction() as database:
            database.executemany("DELETE FROM records WHERE name = ?", [(one,) for one in edits.removed])
            database.executemany(
                "INSERT INTO records (name, edition, text) VALUES (?, ?, ?)"
                " ON CONFLICT (name) DO UPDATE SET edition = excluded.edition, text = excluded.text",
                [(name, edition, text) for name, text in edits.written.items()],
            )
            database.execute("DELETE FROM rest")
            database.execute("INSERT INTO rest VALUES (?, ?)", (edition, rest))
        self.rest, self._edition = rest, edition

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield self._database
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")
