"""`kill -9` at each moment of `up`: the next one goes on, nothing is lost, and `down` leaves nothing."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from random import Random

import pytest
from lives import VM, Life, until, working_in

from clusterprint.exit_codes import Code
from clusterprint_simcloud.gcs.kept import KeptStore

LOCK = "clusterprint/first/first/default.tflock"
#: How many lines `up` has said by then.
MOMENTS = range(2, 14, 2)


def lock_of(life: Life) -> list[str]:
    """The option that releases the lock that is there, if one is."""
    store = KeptStore(life.folder / "storage")
    with store.session(changing=False):
        found = "my-terraform-state" in store.buckets and store.live("my-terraform-state", LOCK)
        return ["--release-lock", found.metadata["generation"]] if found else []


def serving(folder: Path) -> Iterator[int]:
    """The server of the simulated cloud in a folder, and of all providers."""
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0") if process.name.isdigit() else []
            if b"clusterprint_simcloud.standing" in words and str(folder).encode() in words:
                yield int(process.name)


def crash(life: Life, process: "subprocess.Popen[str]") -> None:
    """As if the machine lost its power: nothing that runs gets to its end."""
    process.kill()
    process.wait()
    # One that is just being started has no name yet, and would wait for its dead cloud for good.
    until(lambda: kill_all(life.folder) and is_free(life.folder))
    process.communicate()


def kill_all(folder: Path) -> bool:
    """Kill what now runs for a simulated cloud in a folder; true."""
    for terraform in working_in(folder / "stacks"):
        with suppress(ProcessLookupError):
            os.killpg(terraform, signal.SIGKILL)
    for pid in serving(folder):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return True


def is_free(folder: Path) -> bool:
    """Whether nobody works on any stack any more."""
    for each in folder.glob("stacks/*/.held"):
        with each.open() as held:
            try:
                flock(held, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                return False
    return True


def kill_after(life: Life, lines: int, *, hard: bool) -> None:
    """An `up` that is killed once it has said so many lines; `hard`, with all that it has started."""
    process = life.start("up", VM, "--yes", "--adopt", *lock_of(life))
    assert process.stderr is not None
    for _ in range(lines):
        process.stderr.readline()
    if hard:
        crash(life, process)
    else:
        process.kill()
        process.communicate()


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.terraform
def test_what_killed_runs_have_made_is_neither_lost_nor_left(life: Life) -> None:
    moments = [*MOMENTS]
    Random(1).shuffle(moments)  # noqa: S311 - moments are no secrets
    for moment in moments:
        # What only clusterprint is killed of comes to its end by itself: that is the last one.
        kill_after(life, moment, hard=moment != moments[-1])
    life.run("up", VM, "--yes", "--adopt", *lock_of(life))
    assert len(life.made()) == len({one.key for one in life.made()})
    assert "first-0" in {one.state.get("name") for one in life.made()}
    assert life.run("up", VM, "--detailed-exitcode", expect=Code.NOTHING_TO_DO)
    # A template whose generated name no killed run could record is nobody's, and in the way of the network.
    assert "the state is empty" in life.run("down", VM, "--yes", "--remove-foreign")
    assert life.made() == []
