"""What the tests of the way to people share."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from forges import Forge, serving
from pull_request import Repository
from support import BLUEPRINTS, ROOT

VM = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")


@pytest.fixture
def forge() -> Iterator[Forge]:
    """A forge with a pull request number 7 that has no comments yet."""
    with serving() as made:
        yield made


@pytest.fixture(scope="session")
def command(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our own clusterprint as a command that knows nothing of the folder it runs in."""
    file = tmp_path_factory.mktemp("command") / "clusterprint"
    file.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -P -m clusterprint "$@"\n')
    file.chmod(0o755)
    return file


@pytest.fixture(scope="session")
def tools(command: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What install.sh makes of a command that is there: a folder `bin` with `clusterprint` and `python`."""
    folder = tmp_path_factory.mktemp("tools")
    script = ROOT / "clusterprint/gitops/install.sh"
    subprocess.run(["bash", script, sys.executable, folder, command], check=True)
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A forge's repository with one cluster on main."""
    made = Repository(tmp_path / "forge")
    made.commit({"blueprints/first.yaml": VM, "README.md": "clusters\n"})
    return made
