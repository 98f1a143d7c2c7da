"""The distributions as published: built once, installed into empty environments far from the checkout."""

import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest
from support import ROOT

Command = Callable[..., "subprocess.CompletedProcess[str]"]


def run(*command: str | Path, cwd: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run a command with nothing of this checkout in its environment."""
    foreign = ("PYTHON", "VIRTUAL", "GITHUB_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    return subprocess.run(
        command, cwd=cwd, env={**environment, **variables}, capture_output=True, text=True, check=False
    )


def installed(folder: Path, *wheels: Path | str) -> Path:
    """Make an environment with some wheels and all that they ask for; returns the folder of its commands."""
    venv.create(folder, with_pip=True)
    commands = folder / "bin"
    quiet = ("--quiet", "--disable-pip-version-check", "--no-compile")
    done = run(commands / "python", "-m", "pip", "install", *quiet, *wheels, cwd=folder)
    assert done.returncode == 0, done.stderr
    return commands


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of sdists and wheels: `CLUSTERPRINT_DIST`, built already, or what this checkout makes."""
    if built := os.environ.get("CLUSTERPRINT_DIST"):
        return (ROOT / built).resolve()
    folder = tmp_path_factory.mktemp("dist")
    build = (sys.executable, ROOT / "tools/release.py", "build", folder, "--no-isolation")
    # A release is built in an environment with the bindings of both engines.
    done = run(*build, cwd=ROOT, PYTHONPATH=str(ROOT / ".cache/clis/cdktn-engine"))
    assert done.returncode == 0, done.stdout + done.stderr
    return folder
