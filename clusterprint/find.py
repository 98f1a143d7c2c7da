"""Which blueprints a command is about: the files and folders that were named."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from clusterprint.errors import UsageError

#: Where blueprints are when nothing else is said.
DEFAULT = Path("blueprints")

#: The name of standard input.
STDIN = Path("-")

#: What a change may do is said in a file of this name, which is no blueprint.
POLICY = "clusterprint.policy.yaml"

_SUFFIXES = (".yaml", ".yml")
_HEADING = re.compile(rb"^[\"']?clusterprint[\"']?[ \t]*:", re.MULTILINE)
_HEADING_REACH = 65_536


def find(paths: Iterable[Path]) -> list[Path]:
    """The blueprints to look at, in order, each once.

    A file is taken as it is, whether it exists or not: that is for `load` to report. Of a folder, every
    YAML file directly in it is taken; further down, where the files that blueprints copy to nodes may
    lie, only those with a `clusterprint:` line. Hidden folders and links to folders are not entered.
    Raises UsageError for a folder without blueprints.
    """
    named = list(paths)
    if not named:
        named = [DEFAULT]
        if not DEFAULT.exists():
            raise UsageError(f"there is no folder {DEFAULT}/ here: name the blueprints or folders to look at")
    found: dict[Path, None] = {}
    for path in named:
        if path != STDIN and path.is_dir():
            inside = list(_blueprints_in(path))
            if not inside:
                raise UsageError(f"there are no blueprints (*.yaml, *.yml) in {path}")
            found.update(dict.fromkeys(inside))
        else:
            found[path] = None
    return list(found)


def _blueprints_in(folder: Path) -> Iterator[Path]:
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(where, name)
            is_yaml = path.suffix.lower() in _SUFFIXES and not name.startswith(".") and name != POLICY
            if is_yaml and (path.parent == folder or _has_heading(path)):
                yield path


def _has_heading(path: Path) -> bool:
    try:
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            return _HEADING.search(stream.read(_HEADING_REACH)) is not None
    except OSError:
        return True  # it cannot be read, and `load` says why
