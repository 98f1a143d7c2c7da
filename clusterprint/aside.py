"""Output that is made aside and moved into place: readers find the old state or the new one, never half of one.

What is made aside is called `.<name>.clusterprint-<random>`, and whoever makes it holds a lock on it. So what a
killed run has left behind is recognised by its name, told from what another run is making right now, and cleared.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: nothing is locked, so nothing is cleared either
    fcntl = None  # type: ignore[assignment]

_MARK = ".clusterprint-"


@contextmanager
def folder_beside(target: Path) -> Iterator[Path]:
    """An empty folder beside a target, gone at the end. Raises OSError."""
    target.parent.mkdir(parents=True, exist_ok=True)
    _clear(target)
    while True:
        made = Path(tempfile.mkdtemp(prefix=_prefix(target), dir=target.parent))
        held = os.open(made, os.O_RDONLY)
        try:
            if _is_mine(made, held):
                yield made
                return
        finally:
            # Removed while the lock is held: nobody else does at the same time.
            shutil.rmtree(made, ignore_errors=True)
            os.close(held)


def write(content: bytes, target: Path, mode: int | None = None) -> None:
    """Write a file aside and move it into place; folders on the way are made. Raises OSError.

    `mode` is as for chmod; left out, it is that of any new file. What is no regular file (a pipe, /dev/stdout) is
    written to as it is: moving something into its place would take it away from everybody.
    """
    if (target.exists() and not target.is_file()) or target.is_relative_to("/dev"):
        target.write_bytes(content)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    _clear(target)
    while True:
        held, name = tempfile.mkstemp(prefix=_prefix(target), dir=target.parent)
        made = Path(name)
        try:
            if _is_mine(made, held):
                with os.fdopen(os.dup(held), "wb") as stream:
                    stream.write(content)
                # What mkstemp makes is for its owner alone.
                made.chmod(0o666 & ~_umask() if mode is None else mode)
                made.replace(target)
                return
        finally:
            made.unlink(missing_ok=True)
            os.close(held)


def _prefix(target: Path) -> str:
    return f".{target.name}{_MARK}"


def _is_mine(made: Path, held: int) -> bool:
    """Take the lock; False if another run cleared it in the moment before."""
    _lock(held, wait=True)
    try:
        there, here = made.stat(), os.fstat(held)
    except FileNotFoundError:
        return False
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)


def _clear(target: Path) -> None:
    """Remove what runs that were killed have left beside a target. What cannot be removed stays."""
    if fcntl is None:
        return
    for left in target.parent.glob(f"{escape(_prefix(target))}*"):
        with suppress(OSError):
            held = os.open(left, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                if _lock(held, wait=False):
                    shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)
            finally:
                os.close(held)


def _lock(held: int, *, wait: bool) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(held, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        # A file system that knows no locks: what is made is ours by its name, and nothing is cleared.
        return wait
    return True


def _umask() -> int:
    """The mask can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
