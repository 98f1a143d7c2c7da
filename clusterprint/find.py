"""The blueprints of a command: the files and folders that were named."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from clusterprint.errors import UsageError
from clusterprint.files.inside import NotRead, leads_out, open_ordinary, read_handle, root_of
from clusterprint.load.defaults import DEFAULTS

#: Where blueprints are by default.
DEFAULT = Path("blueprints")

#: The name of standard input.
STDIN = Path("-")

#: What a change may do is said in a file of this name, which is no blueprint.
POLICY = "clusterprint.policy.yaml"

#: YAML beside blueprints that is none.
OTHERS = (POLICY, DEFAULTS)

_SUFFIXES = (".yaml", ".yml")
#: How a text begins that is one map in brackets, such as JSON.
IN_BRACKETS = re.compile(r"\ufeff?(?:\s|#[^\r\n]*+|---)*+\{")
_HEADING = re.compile(r"(?:\A|[\r\n])[\"']?clusterprint[\"']?[ \t]*:")
_HEADING_IN_BRACKETS = re.compile(r"[\s,{][\"']?clusterprint[\"']?\s*+:\s*+[\"']?v\d")
_HEADING_REACH = 65_536


class NothingFound(UsageError):  # noqa: N818 - it is how an empty folder is told from a mistake
    """There are no blueprints where they were looked for."""


def find(paths: Iterable[Path], root: Path | None = None) -> list[Path]:
    """The blueprints to look at, in order, each once.

    A file is taken as it is, whether it exists or not: that is for `load` to report. Of a folder, every
    YAML file directly in it is taken; further down, where the files that blueprints copy to nodes may
    lie, only those with the key `clusterprint`. Hidden folders and links to folders are not entered, and
    nothing outside of `root` (by default the repository around each path) is read.
    Raises NothingFound for a folder without blueprints, UsageError for one that is a link out of it.
    """
    named = list(paths)
    if not named:
        named = [DEFAULT]
        if not DEFAULT.exists():
            raise UsageError(f"there is no folder {DEFAULT}/ here: name the blueprints or folders to look at")
    found: dict[Path, None] = {}
    for path in named:
        if path != STDIN and path.is_dir():
            within = root or root_of(path / POLICY, [path])
            if leads_out(path, within):
                raise UsageError(f"{path} is a link that leads out of the repository: nothing in it is read")
            there = list(_blueprints_in(path, within))
            if not there:
                raise NothingFound(f"there are no blueprints (*.yaml, *.yml) in {path}")
            found.update(dict.fromkeys(there))
        else:
            found[path] = None
    return list(found)


def has_heading(text: str) -> bool:
    """Whether the text of a YAML file says that it is a blueprint."""
    heading = _HEADING_IN_BRACKETS if IN_BRACKETS.match(text) else _HEADING
    return heading.search(text) is not None


def _blueprints_in(folder: Path, root: Path) -> Iterator[Path]:
    waiting = [folder]  # os.walk calls itself for each level, and has an end at a thousand
    while waiting:
        where = waiting.pop()
        folders = []
        for entry in _visible_in(where):
            path = where / entry.name
            if entry.is_dir(follow_symlinks=False):
                folders.append(path)
                continue
            is_yaml = path.suffix.lower() in _SUFFIXES and entry.name not in OTHERS and not entry.is_dir()
            if is_yaml and (where == folder or _has_heading(path, root)):
                yield path
        waiting += reversed(folders)


def _visible_in(folder: Path) -> list[os.DirEntry[str]]:
    """The entries of a folder that are not hidden, by name; empty if it cannot be read."""
    try:
        with os.scandir(folder) as listing:
            entries = [each for each in listing if not each.name.startswith(".")]
    except OSError:
        return []
    return sorted(entries, key=lambda each: each.name)


def _has_heading(path: Path, root: Path) -> bool:
    if leads_out(path, root):
        return True  # it is not read, and `load` says why
    try:
        handle = open_ordinary(path.resolve(strict=True))
        try:
            return has_heading(read_handle(handle, _HEADING_REACH).decode("utf-8", "replace"))
        finally:
            os.close(handle)
    except NotRead:
        return False
    except (OSError, RuntimeError):
        return True  # it cannot be read, and `load` says why
