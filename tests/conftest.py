"""What several test files share."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import byte_code  # noqa: F401 - for all that is loaded from here on
import pytest
from needs_terraform import pytest_runtest_setup
from support import BLUEPRINTS, ROOT, Change, Run, StacksOf, stacks_of
from warm import READ_AT_THE_START, Warm

from clusterprint_simcloud import World

__all__ = ["pytest_runtest_setup"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens", action="store_true", help="rewrite tests/goldens from what is made now"
    )
    parser.addoption(
        "--update-cases",
        action="store_true",
        help="rewrite tests/cases/**/expected.txt from what is found now",
    )


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    """The process that has loaded everything; started at the first command."""
    made = Warm()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def clusterprint(warm: Warm) -> Run:
    """Run the `clusterprint` command as a process of its own.

    It is forked from one that has loaded everything, unless a variable in `env` or another option is about
    how a process starts.
    """

    def run(*arguments: str | Path, cwd: Path = ROOT, **options: Any) -> "subprocess.CompletedProcess[str]":
        environment = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
        more = options.pop("env", {})
        environment |= {**more, "PYTHONPATH": str(ROOT)}
        words = [str(each) for each in arguments]
        if not options and not any(name.startswith(READ_AT_THE_START) for name in more):
            return warm.run(words, cwd, environment)
        return subprocess.run(
            [sys.executable, "-m", "clusterprint", *words],
            cwd=cwd,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            **options,
        )

    return run


@pytest.fixture(scope="session")
def synthesized(clusterprint: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stacks of everything in blueprints/, made together."""
    out = tmp_path_factory.mktemp("blueprints") / "cdktf.out"
    done = clusterprint("synth", BLUEPRINTS, "--out", out)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return out / "stacks"


@pytest.fixture(scope="session")
def stacks(clusterprint: Run, tmp_path_factory: pytest.TempPathFactory) -> StacksOf:
    """The folders of the stacks of a blueprint, in the order of their use; made once in each worker."""

    @cache
    def made(case: Path) -> list[Path]:
        out = tmp_path_factory.mktemp(case.stem) / "cdktf.out"
        done = clusterprint("synth", case, "--out", out)
        assert done.returncode == 0, done.stderr
        return stacks_of(case, out / "stacks")

    return made


@pytest.fixture
def change(clusterprint: Run, tmp_path: Path) -> Change:
    """Deploy a stack of one blueprint, and say what a plan of another version of it would do."""

    def run(before: str, after: str, stack: str = "life") -> dict[str, str]:
        file, out = tmp_path / "life.yaml", tmp_path / "out"
        folder = out / "stacks" / stack
        with World("my-terraform-state") as world:
            for version in (before, after):
                file.write_text(version)
                done = clusterprint("synth", file, "--out", out)
                assert done.returncode == 0, done.stderr
                changes = world.changes(folder)
                world.apply(folder)
            assert world.changes(folder) == {}
            return changes

    return run
