"""Writing to a path that somebody else chose: a blueprint, an imported file, a branch that was checked out.

Nobody may have reviewed it yet. So such a path must be one that its writer could mean, and what is there
already is replaced only if clusterprint wrote it.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

from clusterprint.errors import EnvironmentFailure
from clusterprint.files import atomic, inside

# Larger files are none of ours.
_MOST_BYTES = 1 << 26
# No hidden name, so no `.git` either: with characters that file systems ignore, as `git~1`, as `git::$DATA`.
_PLAIN = re.compile(r"(?:\w[-\w.+@ ]*)?\w")


class NotPlaced(EnvironmentFailure):
    """A path that is not written to, and why."""


class Occupied(NotPlaced):
    """A path with a file that clusterprint did not write."""


def check(
    target: Path, top: Path, endings: tuple[str, ...], is_ours: Callable[[bytes], bool] = lambda _: True
) -> None:
    """Find out that a path below the folder `top` may be written to. Raises NotPlaced, Occupied.

    Its name has one of the `endings`, and `is_ours` says of the content of a file that is there whether
    clusterprint wrote it.
    """
    parts = _parts(target, top)
    if not parts:
        raise NotPlaced(f"{target} is not written to: it is a folder")
    for part in parts:
        if not _PLAIN.fullmatch(part):
            raise NotPlaced(
                f"{target} is not written to: {part!r} is hidden, or has more than letters, digits and -_.+@"
            )
    if not parts[-1].lower().endswith(endings):
        raise NotPlaced(f"{target} is not written to: its name does not end with {' or '.join(endings)}")
    through_no_link(target, top)
    try:
        if is_ours(inside.read(target, _MOST_BYTES)):
            return
    except FileNotFoundError:
        return
    except inside.NotRead as error:
        raise NotPlaced(f"{target} is not written to: it {error}") from error
    except OSError as error:
        raise NotPlaced(f"{target} is not written to: {error.strerror}") from error
    raise Occupied(f"{target} is there already, and clusterprint did not write it, or it was changed since")


def through_no_link(target: Path, top: Path) -> None:
    """Find out that nothing of a path below the folder `top` is a link. Raises NotPlaced."""
    place = top
    for part in _parts(target, top):
        place /= part
        if place.is_symlink():
            raise NotPlaced(f"{target} is not written to: {place} is a link")


def write(content: bytes, target: Path, top: Path, *, mode: int | None = None) -> None:
    """Write a file that was checked, and the folders that it is in. Raises NotPlaced, EnvironmentFailure."""
    through_no_link(target, top)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(content, target, mode)
    except OSError as error:
        raise EnvironmentFailure(f"{target} cannot be written: {error.strerror}") from error


def _parts(target: Path, top: Path) -> tuple[str, ...]:
    try:
        parts = target.relative_to(top).parts
    except ValueError:
        parts = (os.pardir,)
    if os.pardir in parts:
        raise NotPlaced(f"{target} is not written to: it is not below {top}")
    return parts
