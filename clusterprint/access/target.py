"""Which cluster is meant: a blueprint's file, or the name of a cluster among blueprints; and what in it."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from clusterprint.errors import UsageError
from clusterprint.examine import read_all
from clusterprint.find import DEFAULT
from clusterprint.words.guesses import alike


class Target(NamedTuple):
    """The file of a blueprint, and the part of its cluster that was named, or an empty text."""

    file: Path
    part: str


def find_target(text: str, among: Sequence[Path] = ()) -> Target:
    """What NAME, NAME/PART, FILE or FILE/PART means. Raises UsageError if that is nothing, or not one thing.

    Names are looked for `among` files and folders, by default in blueprints/, or in the current folder.
    """
    if Path(text).is_file():
        return Target(Path(text), "")
    before, slash, part = text.rpartition("/")
    if slash and Path(before).is_file():
        return Target(Path(before), _part(part))
    name, _, part = text.partition("/")
    if not name or "/" in part:
        raise UsageError(f"{text!r} is neither a blueprint nor NAME/PART of a cluster")
    return Target(_named(name, list(among)), _part(part))


def _part(text: str) -> str:
    """What is named may end up in commands: it must look like a name, and never like an option."""
    if text.startswith("-") or not all(each.isalnum() or each in "-_." for each in text):
        raise UsageError(f"{text!r} is not the name of a node or a job")
    return text


def _named(name: str, among: list[Path]) -> Path:
    places = among or [DEFAULT if DEFAULT.is_dir() else Path()]
    names: dict[str, list[Path]] = {}
    for each in read_all(places):
        document = each.loaded.document
        found = document.data.get("name") if document else None
        if isinstance(found, str):
            names.setdefault(found, []).append(each.file)
    files = names.get(name, [])
    if len(files) > 1:
        raise UsageError(
            f"several blueprints are called {name!r}: {', '.join(map(str, files))}; name the file"
        )
    if not files:
        near = alike(name, list(names))
        meant = f" Did you mean {near[0]!r}?" if near else ""
        where = "this folder" if places == [Path()] else ", ".join(map(str, places))
        raise UsageError(
            f"there is no cluster {name!r} in {where}.{meant} Give its blueprint's file, or --in"
        )
    return files[0]
