"""Differences between two trees of values."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

Path = tuple[str | int, ...]


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"


#: Stands for a value that is not there.
ABSENT: Final = _Absent()


class Difference(NamedTuple):
    """A place where two trees differ, and what each has there."""

    path: Path
    before: Any
    after: Any

    @property
    def dotted(self) -> str:
        """The path without positions, as facts about arguments are kept."""
        return dotted(self.path)


def dotted(path: Path) -> str:
    """A path without positions in lists."""
    return ".".join(part for part in path if isinstance(part, str))


def differences(before: Any, after: Any, path: Path = ()) -> Iterator[Difference]:
    """Every difference, as deep as both sides have the same form.

    Lists of blocks of the same length are compared one by one; others as a whole. A null is the same as
    nothing, and so is an empty block.
    """
    if _empty(before) and _empty(after):
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in sorted({*before, *after}, key=str):
            yield from differences(before.get(key, ABSENT), after.get(key, ABSENT), (*path, key))
    elif _are_blocks(before) and _are_blocks(after) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from differences(old, new, (*path, index))
    elif not _same(before, after):
        yield Difference(path, before, after)


def _empty(value: Any) -> bool:
    return value is ABSENT or value is None or value in ([], {})


def _are_blocks(value: Any) -> bool:
    """Whether a list is compared item by item: a list of blocks, or of whole documents."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(each, Mapping) or (isinstance(each, str) and "\n" in each) for each in value)
    )


def _same(before: Any, after: Any) -> bool:
    if isinstance(before, bool) != isinstance(after, bool):
        return False  # in Python, True is 1
    return bool(before == after)
