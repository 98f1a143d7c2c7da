"""What several test files share."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from needs_terraform import pytest_runtest_setup
from support import BLUEPRINTS, GOLDENS, ROOT, Change, Run, cases, stacks_of

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
def clusterprint() -> Run:
    """Run the `clusterprint` command as a process of its own."""

    def run(*arguments: str | Path, cwd: Path = ROOT, **options: Any) -> "subprocess.CompletedProcess[str]":
        outside = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
        environment = {**outside, **options.pop("env", {})}
        return subprocess.run(
            [sys.executable, "-m", "clusterprint", *map(str, arguments)],
            cwd=cwd,
            env={**environment, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            **options,
        )

    return run


@pytest.fixture(scope="session")
def synthesized(clusterprint: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stacks of everything in blueprints/, made once."""
    out = tmp_path_factory.mktemp("blueprints") / "cdktf.out"
    done = clusterprint("synth", BLUEPRINTS, "--out", out)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return out / "stacks"


@pytest.fixture(scope="session")
def stacks(
    clusterprint: Run, synthesized: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[Path]]:
    """The folders of the stacks of each blueprint in blueprints/ and tests/goldens, in order, by file."""
    out = tmp_path_factory.mktemp("goldens") / "cdktf.out"
    done = clusterprint("synth", GOLDENS, "--out", out)
    assert done.returncode == 0, done.stderr
    return {
        case.name: stacks_of(case, synthesized if case.parent == BLUEPRINTS else out / "stacks")
        for case in cases()
    }


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
