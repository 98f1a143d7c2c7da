"""A simulated cloud in a folder, and whole lives of clusters in it."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from support import BLUEPRINTS, ROOT, Run

from clusterprint.exit_codes import Code
from clusterprint_simcloud import Cloud, Fault
from clusterprint_simcloud.cloud import faults
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.gcs import store

VM = BLUEPRINTS / "vm-smallest.yaml"


class Life:
    """A simulated cloud in a folder, and commands in it."""

    def __init__(self, folder: Path, command: Run) -> None:
        self.folder = folder
        self._command = command
        self.cloud = Cloud(folder / "cloud")

    def start(self, *words: str | Path) -> "subprocess.Popen[str]":
        """A command that goes on while we look."""
        return subprocess.Popen(
            [sys.executable, "-m", "clusterprint", *map(str, words), "--simulate", str(self.folder)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str | Path, expect: int = Code.DONE) -> str:
        """A command to its end; what it said."""
        where = () if "--simulate" in words else ("--simulate", self.folder)
        done = self._command(*words, *where)
        assert done.returncode == expect, done.stdout + done.stderr
        return done.stdout + done.stderr

    def said(self) -> str:
        """The output of Terraform so far about the stack of the only cluster."""
        return "".join(each.read_text() for each in self.folder.glob("stacks/*/first.log"))

    def made(self) -> list[Record]:
        """The resources created in the cloud; state buckets existed."""
        builtin = {"google_storage_bucket my-terraform-state"}
        return [
            one for one in self.cloud.read().records.values() if not one.builtin and one.key not in builtin
        ]

    def faults(self, *rules: Fault) -> None:
        """The faults from now on."""
        faults.install(self.cloud, rules)

    def bucket_faults(self, *rules: store.Fault) -> None:
        """The faults of the state bucket, in each command from now on."""
        file = self.folder / "storage/faults.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(rules))


def until(condition: Callable[[], bool]) -> None:
    """Wait for it; what has not come after minutes does not come."""
    for _ in range(2400):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come")


def working_in(folder: Path) -> list[int]:
    """The Terraforms (not the providers, which end what they have begun) that run below a folder."""
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            name = (process / "comm").read_text().strip()
            if name in {"terraform", "tofu"} and (process / "cwd").readlink().is_relative_to(folder):
                found.append(int(process.name))
        except OSError:
            continue  # it has just ended
    return found
