"""Output that is made aside and moved into place: readers find the old state or the new one.

What is made aside is called `.<name>.clusterprint-<random>`, and whoever makes it holds a lock on it. So what
a killed run has left behind is recognised by its name, told from what another run is making right now, and
cleared.
"""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from types import ModuleType

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows: nothing is locked, so nothing is cleared either
    fcntl = None

_MARK = ".clusterprint-"


@contextmanager
def folder_beside(target: Path) -> Iterator[Path]:
    """An empty folder beside a target, gone at the end. Raises OSError."""
    target.parent.mkdir(parents=True, exist_ok=True)
    _clear(target)
    while True:
        made = _name(target)
        try:
            made.mkdir(mode=0o700)
            with _held(made) as is_mine:
                if is_mine:
                    try:
                        yield made
                    finally:
                        # While it is held, nobody else removes it at the same time.
                        shutil.rmtree(made, ignore_errors=True)
                    return
        finally:
            shutil.rmtree(made, ignore_errors=True)  # a signal can come between any two lines


def write(content: bytes, target: Path, mode: int | None = None) -> None:
    """Write a file aside and move it into place, in a folder that is there. Raises OSError.

    `mode` is as for chmod; left out, it is that of any new file. What is no regular file (a pipe,
    /dev/stdout) is written to as it is: moving something into its place would take it away from everybody.
    """
    if (target.exists() and not target.is_file()) or target.is_relative_to("/dev"):
        target.write_bytes(content)
        return
    _clear(target)
    while True:
        made = _name(target)
        try:
            made.touch(mode=0o600, exist_ok=False)
            with _held(made) as is_mine:
                if is_mine:
                    made.write_bytes(content)
                    made.chmod(0o666 & ~_umask() if mode is None else mode)
                    made.replace(target)
                    return
        finally:
            made.unlink(missing_ok=True)


def _name(target: Path) -> Path:
    """A name that is nobody's yet; known before there is anything to be cleared away."""
    return target.parent / f"{_prefix(target)}{secrets.token_hex(8)}"


def _prefix(target: Path) -> str:
    return f".{target.name}{_MARK}"


@contextmanager
def _held(made: Path) -> Iterator[bool]:
    """Hold the lock on what was just made; False if another run cleared it in the moment before."""
    if fcntl is None:
        yield True
        return
    try:
        held = os.open(made, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        with suppress(OSError):  # a file system without locks: then nobody clears anything either
            fcntl.flock(held, fcntl.LOCK_EX)
        yield made.exists() and made.stat().st_ino == os.fstat(held).st_ino
    finally:
        os.close(held)


def _clear(target: Path) -> None:
    """Remove what killed runs have left beside a target. What is held, or cannot be removed, stays."""
    if fcntl is None:
        return
    for left in target.parent.glob(f"{escape(_prefix(target))}*"):
        with suppress(OSError):
            held = os.open(left, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if left.is_dir():
                    shutil.rmtree(left)
                else:
                    left.unlink()
            finally:
                os.close(held)


def _umask() -> int:
    """The mask can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
