"""Folders that are mounted: on each other, or one inside the other."""

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Generic, NamedTuple, TypeVar

from msgspec import UNSET, UnsetType

Mounted = TypeVar("Mounted")


class Overlap(NamedTuple, Generic[Mounted]):
    """What is mounted on a path that an earlier one, the other, is in the way of.

    `how` stands between "is mounted on X, " and " another bucket".
    """

    mounted: Mounted
    path: PurePosixPath
    other: Mounted
    how: str


def overlaps(mounts: Iterable[tuple[Mounted, str | UnsetType]]) -> Iterator[Overlap[Mounted]]:
    """Each that overlaps an earlier one."""
    on: dict[PurePosixPath, Mounted] = {}
    inside: dict[PurePosixPath, Mounted] = {}
    for each, mount in mounts:
        if mount is UNSET:
            continue
        path = PurePosixPath(mount)
        around = next((on[parent] for parent in path.parents if parent in on), inside.get(path))
        if path in on:
            yield Overlap(each, path, on[path], "the same folder as")
        elif around is not None:
            yield Overlap(each, path, around, "inside, or around, the mount of")
        on.setdefault(path, each)
        for parent in path.parents:
            inside.setdefault(parent, each)
