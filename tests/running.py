"""Clusters that run, to be changed: each is deployed once, and found as it was by all tests that ask."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from support import Run

from clusterprint_simcloud import World
from clusterprint_simcloud.world import Moment

BUCKET = "my-terraform-state"
NAME = "life.yaml"


class Deployed(NamedTuple):
    """The state after a blueprint was applied: in the cloud, and beside the blueprint."""

    moment: Moment
    output: Path


class Running:
    """One world for many tests, one after the other: what is deployed in it, and what a change does to it."""

    def __init__(self, world: World, run: Run, folder: Path) -> None:
        self.world = world
        self._run = run
        self._folder = folder
        self._begin = world.moment()
        self._deployed: dict[str, Deployed] = {}

    def deploy(self, folder: Path, text: str, stacks: Sequence[str]) -> None:
        """Let a blueprint be applied, as `life.yaml` in a folder; what it names lies there."""
        key = _key(folder, text)
        if key not in self._deployed:
            self.world.return_to(self._begin)
            for stack in self.synthesize(folder, text, stacks):
                self.world.apply(stack)
            kept = Path(tempfile.mkdtemp(dir=self._folder))
            shutil.move(folder / "out", kept / "out")
            self._deployed[key] = Deployed(self.world.moment(), kept / "out")
        deployed = self._deployed[key]
        self.world.return_to(deployed.moment)
        shutil.copytree(deployed.output, folder / "out")

    def change(self, folder: Path, text: str, stacks: Sequence[str]) -> list[dict[str, str]]:
        """Apply another version; what it changes in each stack. Nothing may be left to do then."""
        changes = []
        for stack in self.synthesize(folder, text, stacks):
            changes.append(self.world.changes(stack))
            self.world.carry_out(stack)
        assert all(self.world.changes(folder / "out" / "stacks" / stack) == {} for stack in stacks)
        return changes

    def synthesize(self, folder: Path, text: str, stacks: Sequence[str]) -> list[Path]:
        """Another version beside what is deployed, not applied; the folders of its stacks."""
        (folder / NAME).write_text(text)
        done = self._run("synth", folder / NAME, "--out", folder / "out")
        assert done.returncode == 0, done.stderr
        return [folder / "out" / "stacks" / stack for stack in stacks]


def _key(folder: Path, text: str) -> str:
    """Names a blueprint with the files that it may name."""
    known = sha256(text.encode())
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.name != NAME and not file.is_relative_to(folder / "out"):
            known.update(f"\0{file.relative_to(folder)}\0".encode())
            known.update(file.read_bytes())
    return known.hexdigest()


@contextmanager
def clusters(run: Run, folder: Path) -> Iterator[Running]:
    """Clusters in a world of their own."""
    with World(BUCKET) as world:
        yield Running(world, run, folder)
