"""The newest version of what the project has from outside, and changes of files that facts were read from.

Registries of packages are asked through their own clients: `pip index versions` and `go list -m`. Everything
else is read from a folder of clones: FOLDER/OWNER/NAME is a clone of the repository OWNER/NAME, with or
without a work tree. What cannot be asked has no answer, which is not the same as "nothing newer".
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

#: A release, with or without a "v"; what follows a hyphen is a candidate, and no release.
_RELEASE = re.compile(r"v?(\d+(?:\.\d+){1,3})")


class Newest(NamedTuple):
    """The newest version that a place has, and the day of it, empty where the place does not say it."""

    version: str
    since: str
    place: str


def newest(upstream: Mapping[str, str], clones: Path | None) -> Newest | None:
    """The newest release of a package or a repository; None if nobody could be asked.

    `upstream` has one of the keys `pypi` (a project), `go` (a module) and `github` (OWNER/NAME, whose tags
    that begin with `tags` count: a project may have begun to count anew).
    """
    if project := upstream.get("pypi"):
        return _of_pypi(project)
    found = (
        upstream.get("github") and clones and _of_tags(clones, upstream["github"], upstream.get("tags", ""))
    ) or None
    module = upstream.get("go")
    asked = _of_module(module) if module else None
    known = [each for each in (found, asked) if each]
    return max(known, key=lambda each: numbers(each.version), default=None)


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, to compare; none for what is no release."""
    match = _RELEASE.match(version)
    return tuple(int(each) for each in match[1].split(".")) if match else ()


class Changed(NamedTuple):
    """The last change of a file: commit and day."""

    revision: str
    day: str


def last_change(clones: Path, repository: str, file: str) -> Changed | None:
    """The last commit of a file or a folder; None if the clone is missing or has no such file."""
    said = _git(clones, repository, "log", "-1", "--format=%h %cs", "HEAD", "--", file)
    revision, _, day = said.strip().partition(" ")
    return Changed(revision, day) if day else None


def tag_in_file(clones: Path, repository: str, file: str, location: str) -> str:
    """The tag that a file names for an image; empty if it names none, or several."""
    text = _git(clones, repository, "show", f"HEAD:{file}")
    tags = set(re.findall(rf"{re.escape(location)}:([\w.-]+)", text))
    return tags.pop() if len(tags) == 1 else ""


def _git(clones: Path, repository: str, *words: str) -> str:
    """The output of git in a clone; empty if there is none, or it fails."""
    folder = clones / repository
    if not folder.is_dir():
        return ""
    # Only what the folder itself says: not the settings of a user or the repository around it.
    environment = {
        **os.environ,
        "GIT_CEILING_DIRECTORIES": str(folder.parent),
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    done = subprocess.run(
        ["git", "-C", folder, "-c", f"safe.directory={folder.resolve()}", *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        errors="replace",
    )
    return done.stdout if done.returncode == 0 else ""


@cache
def _of_tags(clones: Path, repository: str, prefix: str) -> Newest | None:
    said = _git(
        clones, repository, "for-each-ref", "--format=%(refname:short) %(creatordate:short)", "refs/tags"
    )
    tags = [line.rsplit(" ", 1) for line in said.splitlines()]
    releases = [(tag, day) for tag, day in tags if _RELEASE.fullmatch(tag) and tag.startswith(prefix)]
    if not releases:
        return None
    tag, day = max(releases, key=lambda each: numbers(each[0]))
    return Newest(tag, day, f"tags of {repository}")


@cache
def _of_pypi(project: str) -> Newest | None:
    said = _asked([sys.executable, "-m", "pip", "index", "versions", "--disable-pip-version-check", project])
    match = re.match(r"\S+ \(([^)]+)\)", said)
    return Newest(match[1], "", f"Python package {project}") if match else None


@cache
def _of_module(module: str) -> Newest | None:
    said = _asked(["go", "list", "-m", "-json", f"{module}@latest"])
    if not said:
        return None
    found = json.loads(said)
    if not _RELEASE.fullmatch(found["Version"]):
        return None
    return Newest(found["Version"], found.get("Time", "")[:10], f"Go module {module}")


def _asked(words: list[str]) -> str:
    """The output of a client of a registry; empty if it is missing, fails or takes longer than a minute."""
    # Go: by the proxy alone. What it does not have, it would clone.
    environment = {**os.environ, "GOFLAGS": "-mod=mod", "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(
            words, env=environment, capture_output=True, text=True, check=False, timeout=60, cwd="/"
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""
