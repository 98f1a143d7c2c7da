"""Files and folders at a path that a blueprint names; never outside the blueprint's folder.

Rules look with it before anything is built, and what is built is made from what they saw.
"""

import enum
import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import NamedTuple


class Sort(enum.Enum):
    """The type of file at a path. If it is a problem, the value completes "<path> ..."."""

    FILE = "is a file"
    FOLDER = "is a folder"
    SPECIAL = "is neither a file nor a folder"
    FOLDER_LINK = "is a link to a folder"
    MISSING = "does not exist"
    UNREADABLE = "cannot be read"
    OUTSIDE = "leads out of the blueprint's folder"


class Entry(NamedTuple):
    """Something below a folder; `name` is its path from there, with slashes, `size` is in bytes."""

    name: str
    path: Path
    sort: Sort
    size: int


def sort_of(path: Path, top: Path) -> Sort:
    """The type of file at a path that must stay below the folder `top`."""
    # As it is written first: `a/../../b` leaves the folder, wherever the link `a` leads.
    if PurePath(os.path.relpath(path, top)).parts[:1] == ("..",):
        return Sort.OUTSIDE
    try:
        if not path.resolve().is_relative_to(top.resolve()):
            return Sort.OUTSIDE
        return _sort(path, path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return Sort.MISSING
    except (OSError, RuntimeError) as error:  # no permission, a loop of links, a name that is too long
        too_long = isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG
        return Sort.MISSING if too_long else Sort.UNREADABLE


def _sort(path: Path, mode: int) -> Sort:
    if stat.S_ISDIR(mode):
        return Sort.FOLDER if os.access(path, os.R_OK | os.X_OK) else Sort.UNREADABLE
    if stat.S_ISREG(mode):
        return Sort.FILE if os.access(path, os.R_OK) else Sort.UNREADABLE
    return Sort.SPECIAL


def below(folder: Path, top: Path, passed: Callable[[str], bool] = lambda _: False) -> Iterator[Entry]:
    """Everything below a folder but the folders themselves, in the order of the names.

    Links to files are followed as long as they stay below `top`; links to folders are not. `passed` tells by
    its path which folder is not looked into.
    """
    waiting = [("", folder)]
    while waiting:
        name, path = waiting.pop()
        if name and not name.endswith("/"):
            yield _linked(path, name, top) if path.is_symlink() else _plain(path, name)
            continue
        try:
            with os.scandir(path) as listing:
                entries = sorted(listing, key=lambda entry: entry.name, reverse=True)
        except OSError:
            yield Entry(name.rstrip("/"), path, Sort.UNREADABLE, 0)
            continue
        for entry in entries:
            below_it = f"{name}{entry.name}"
            is_folder = entry.is_dir(follow_symlinks=False)
            if not (is_folder and passed(below_it)):
                waiting.append((f"{below_it}{'/' if is_folder else ''}", path / entry.name))


def _linked(path: Path, name: str, top: Path) -> Entry:
    sort = sort_of(path, top)
    if sort is Sort.FOLDER:
        return Entry(name, path, Sort.FOLDER_LINK, 0)
    return Entry(name, path, sort, path.stat().st_size if sort is Sort.FILE else 0)


def _plain(path: Path, name: str) -> Entry:
    """An entry that is no link lies in its folder, which is already checked."""
    try:
        status = path.lstat()
    except OSError:
        return Entry(name, path, Sort.UNREADABLE, 0)
    return Entry(name, path, _sort(path, status.st_mode), status.st_size)


def landing(source: Path, destination: str, top: Path) -> Iterator[tuple[str, Path]]:
    """The files at or below a source, each with the path that it lands at."""
    place = destination.rstrip("/")
    if source.is_dir():
        yield from (
            (f"{place}/{each.name}", each.path) for each in below(source, top) if each.sort is Sort.FILE
        )
    else:
        yield place, source
