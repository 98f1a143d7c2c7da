"""The cluster that is meant: a blueprint's file or a cluster's name, and a part of it."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from clusterprint.errors import UsageError
from clusterprint.examine import clusters_in
from clusterprint.find import DEFAULT, STDIN, NothingFound
from clusterprint.words import listed
from clusterprint.words.guesses import alike

# What may be a name. Everything else is a path: that it does not exist is for `load` to say.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
# More files than these are only counted.
_SHOWN = 5


class Target(NamedTuple):
    """The file of a blueprint, and the part of its cluster that was named, or an empty text."""

    file: Path
    part: str


def find_target(text: str, among: Sequence[Path] = ()) -> Target:
    """The cluster that NAME, NAME/PART, FILE or FILE/PART names. Raises UsageError unless it is exactly one.

    Names are looked for `among` files and folders, by default in blueprints/, or in the current folder.
    """
    if Path(text).is_file() or text.endswith((".yaml", ".yml")):
        return Target(Path(text), "")
    before, slash, part = text.rpartition("/")
    if slash and Path(before).is_file():
        return Target(Path(before), _part(part))
    name, _, part = text.partition("/")
    if not name or "/" in part:
        raise UsageError(f"{text!r} is neither a blueprint nor NAME/PART of a cluster")
    return Target(_named(name, among), _part(part))


def file_of(path: Path, among: Sequence[Path] = ()) -> Path:
    """The file or folder that is meant by its path, or by the name of a cluster where no such path exists.

    Raises NothingFound for a name that no cluster has, UsageError for one that several have.
    """
    if path == STDIN or os.path.lexists(path) or not _NAME.fullmatch(str(path)):
        return path
    return _named(str(path), among)


def _part(text: str) -> str:
    """The name as part of a command line. Raises UsageError if it could be read as an option."""
    if text.startswith("-") or not all(each.isalnum() or each in "-_." for each in text):
        raise UsageError(f"{text!r} is not the name of a node or a job")
    return text


def _named(name: str, among: Sequence[Path]) -> Path:
    places = list(among) or [DEFAULT if DEFAULT.is_dir() else Path()]
    clusters, searched = clusters_in(places)
    files = clusters.get(name, [])
    if len(files) > 1:
        raise UsageError(
            f"several blueprints are called {name!r}: {', '.join(map(str, files))}; name the file"
        )
    if files:
        return files[0]
    # The name of a blueprint's file is not always that of its cluster.
    near = [each for each, files in clusters.items() if name in {file.stem for file in files}]
    near = near or alike(name, list(clusters))
    meant = f"Did you mean {near[0]!r} ({clusters[near[0]][0]})? " if near else ""
    raise NothingFound(
        f"there is no cluster {name!r}, and no file of that name: {_told(places, searched)}. "
        f"{meant}Give its blueprint's file, or the folder with --in"
    )


def _told(places: Sequence[Path], searched: Sequence[Path]) -> str:
    if not searched:
        where = listed(["this folder" if each == Path() else str(each) for each in places])
        return f"there are no blueprints in {where}"
    shown = [str(each) for each in searched[:_SHOWN]]
    more = [f"{len(searched) - _SHOWN} more"] if len(searched) > _SHOWN else []
    return f"names were looked up in {listed([*shown, *more], 'and')}"
