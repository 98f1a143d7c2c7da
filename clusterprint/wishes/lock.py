"""The capacity lock beside a blueprint: the wish of each group that `up` has found capacity for.

It has the wish itself and not its number, so another order of the fallbacks changes nothing that exists.
A stack therefore depends on files of the repository only, and a review shows a wish that changes.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from clusterprint.document import Document
from clusterprint.errors import EnvironmentFailure
from clusterprint.files import atomic, inside, safe_write
from clusterprint.wishes import Group, groups, with_wish

_MOST_BYTES = 65_536


class Standing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The wish of a group, and since when."""

    capacity: dict[str, Any]
    since: str


class CapacityLock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The wishes of the groups of a blueprint, by their names."""

    groups: dict[str, Standing]


class BrokenCapacityLock(ValueError):  # noqa: N818 - it is the lock that is broken
    """The file is not a capacity lock. Completes "<name> ..."."""


#: Locks that count instead of the files, while `up` tries wishes that were not confirmed yet.
_INSTEAD: ContextVar[Mapping[Path, CapacityLock]] = ContextVar("_INSTEAD", default=MappingProxyType({}))


@contextmanager
def instead(locks: Mapping[Path, CapacityLock]) -> Iterator[None]:
    """Let these locks count instead of their files."""
    token = _INSTEAD.set(locks)
    try:
        yield
    finally:
        _INSTEAD.reset(token)


#: The folder of the simulated cloud in which this runs. What has no capacity there says nothing of the real
#: clouds, so locks of its own count there, once they are written.
_SIMULATED: ContextVar[Path | None] = ContextVar("_SIMULATED", default=None)


@contextmanager
def simulated(folder: Path | None) -> Iterator[None]:
    """Let the locks of a simulated cloud count; None for the real clouds."""
    token = _SIMULATED.set(folder)
    try:
        yield
    finally:
        _SIMULATED.reset(token)


def written_to(file: Path) -> Path:
    """Where a lock is written to: beside the blueprint, or into the folder of the simulated cloud."""
    folder = _SIMULATED.get()
    if folder is None:
        return file
    return folder / "capacity" / hashlib.sha256(os.fsencode(file.absolute())).hexdigest()[:12] / file.name


def file_of(document: Document) -> Path | None:
    """The capacity lock of a blueprint; None if it has no name, or one that is no file name."""
    name = document.data.get("name")
    if not isinstance(name, str) or not name or "/" in name or "\0" in name:
        return None
    return document.folder / f"{name}.capacity.lock"


def read(file: Path) -> CapacityLock:
    """The lock; an empty one if there is no file. Raises BrokenCapacityLock."""
    if file in _INSTEAD.get():
        return _INSTEAD.get()[file]
    try:
        there = written_to(file)
        return msgspec.json.decode(
            inside.read(there if there.exists() else file, _MOST_BYTES), type=CapacityLock
        )
    except FileNotFoundError:
        return CapacityLock(groups={})
    except OSError as error:
        raise BrokenCapacityLock(f"cannot be read: {error.strerror}") from error
    except inside.NotRead as error:
        raise BrokenCapacityLock(str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BrokenCapacityLock(f"is not a capacity lock of clusterprint: {error}") from error


def write(lock: CapacityLock, file: Path) -> None:
    """Replace the file in one step. Raises EnvironmentFailure."""
    text = msgspec.json.format(msgspec.json.encode(lock), indent=2) + b"\n"
    file = written_to(file)
    try:
        if _SIMULATED.get() is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
        safe_write.through_no_link(file, file.parent)
        atomic.write(text, file, mode=0o644)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write {file}: {error.strerror}") from error


class Counted(NamedTuple):
    """A group with fallbacks, the number of the wish that counts, and since when, if that is known."""

    group: Group
    number: int
    since: str


def counting(document: Document) -> list[Counted]:
    """The wish of each group with fallbacks. One that is no wish any more is the first."""
    found = groups(document)
    file = file_of(document) if found else None
    try:
        entries = read(file).groups if file else {}
    except BrokenCapacityLock:
        entries = {}  # a rule says so
    return [_counted(each, entries.get(each.name)) for each in found]


def _counted(group: Group, entry: Standing | None) -> Counted:
    number = group.number(entry.capacity) if entry else None
    return Counted(group, number or 0, entry.since if entry and number is not None else "")


def standing(document: Document) -> dict[str, int]:
    """The number of the wish of each group with fallbacks, by its name."""
    return {each.group.name: each.number for each in counting(document)}


def as_it_stands(document: Document) -> Document:
    """The document as if it said the wishes of its capacity lock."""
    numbers = standing(document)
    for each in groups(document):
        document = with_wish(document, each, numbers[each.name])
    return document
