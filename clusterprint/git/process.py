"""The one module that starts git, so that nothing which a repository can name is ever run.

Only commands that read objects are called (`rev-parse`, `ls-tree`, `cat-file`, `merge-base`), and for the
scripts of CI `fetch`, `merge-tree` and `commit-tree`, which write objects and nothing else. None of them
needs an index, filters, hooks, a pager or credentials, and all of these are switched off besides.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from clusterprint.errors import EnvironmentFailure

# What a repository's own configuration could name to be run; `-c` outweighs it.
_OVERRULED = (
    ("safe.bareRepository", "explicit"),
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.attributesFile", os.devnull),
    ("core.pager", "cat"),
    ("core.askPass", ""),
    ("core.alternateRefsCommand", "true"),
    ("credential.helper", ""),
    ("diff.external", ""),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("merge.renormalize", "false"),
)

# No protocol: a partial clone would otherwise fetch what it lacks, by a command of its configuration.
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}

# The configuration of the machine and its owner stays: it says whose repositories are trusted.
_KEPT = "GIT_CONFIG_"


def run(
    root: Path, arguments: Sequence[str], more: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """Run git to completion, whatever its exit code; `more` are variables of the environment.

    Raises EnvironmentFailure where there is no git.
    """
    try:
        return subprocess.run(
            _command(root, arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={**_environment(root), **(more or {})},
            check=False,
        )
    except FileNotFoundError:
        raise EnvironmentFailure("git is not installed, and is needed to read earlier versions") from None


def opened(root: Path, arguments: Sequence[str], given: IO[bytes]) -> "subprocess.Popen[bytes]":
    """Start a git that is given the content of a file, and whose output is read while it runs."""
    return subprocess.Popen(
        _command(root, arguments),
        stdin=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(root),
    )


def _command(root: Path, arguments: Sequence[str]) -> list[str]:
    """A list of arguments, no shell, and nothing of the user's where git would read an option."""
    settings = [word for name, value in _OVERRULED for word in ("-c", f"{name}={value}")]
    return ["git", "--no-pager", "-C", str(root), *settings, *arguments]


def _environment(root: Path) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_KEPT)
    }
    return kept | _ENVIRONMENT | {"GIT_CEILING_DIRECTORIES": str(root.parent)}


def said(done: "subprocess.CompletedProcess[bytes]") -> str:
    """The first line of git's complaint."""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
    first = lines[0].removeprefix("fatal: ")
    if "dubious ownership" in first:
        first += "; if you trust it, `git config --global --add safe.directory` with this folder says so"
    return first
