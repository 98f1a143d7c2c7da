"""Bytes of a blueprint file, within the limit, or the reason why there are none."""

import os
import stat
from errno import ELOOP, ENAMETOOLONG
from pathlib import Path

from clusterprint.files import inside
from clusterprint.load.codes import FILE_MISSING, NOT_A_FILE, OUTSIDE, TOO_LARGE, UNREADABLE
from clusterprint.load.limits import MAX_BYTES
from clusterprint.load.problem import Problem, Refused
from clusterprint.words import did_you_mean
from clusterprint.words.guesses import alike

_COPY = "put a copy of the file in place of the link; nothing outside of the repository is read"
_KINDS = (
    (stat.S_ISDIR, "a directory", "give a file in it; `clusterprint validate FOLDER` checks all of them"),
    (stat.S_ISFIFO, "a pipe", "give `-` and connect the pipe to standard input"),
    (stat.S_ISSOCK, "a socket", "give a file"),
    (stat.S_ISCHR, "a device", "give a file, or `-` for standard input"),
    (stat.S_ISBLK, "a device", "give a file"),
)


def read_bytes(path: Path, root: Path) -> bytes:
    """All bytes of an ordinary file of at most 1 MiB, not outside of `root`; otherwise raises Refused."""
    try:
        if inside.is_handle(path):
            return _read_handle(path)
        if inside.leads_out(path, root):
            raise Refused(_outside(path))
        # A link inside the repository is as good as what it leads to.
        real = path.resolve(strict=True)
        _insist_on_ordinary(real.stat().st_mode)
        handle = inside.open_ordinary(real)
        try:
            return _read(handle)
        finally:
            os.close(handle)
    except inside.NotRead as error:
        raise Refused(Problem(UNREADABLE, f"the file {error}")) from None
    except (OSError, ValueError, RuntimeError) as error:
        raise Refused(_refusal(path, error)) from None


def _read_handle(path: Path) -> bytes:
    """A file that the shell has opened for us: a file can be read, a pipe has a better way in."""
    _insist_on_ordinary(path.stat().st_mode)
    with path.open("rb", buffering=0) as stream:
        return _read(stream.fileno())


def _read(handle: int) -> bytes:
    check_size(os.fstat(handle).st_size)
    raw = inside.read_handle(handle, MAX_BYTES + 1)
    check_size(len(raw))
    return raw


def _outside(path: Path) -> Problem:
    if path.is_symlink():
        return Problem(OUTSIDE, "this is a link that leads out of the repository", help=_COPY)
    return Problem(OUTSIDE, "the folder of this file is a link that leads out of the repository", help=_COPY)


def check_size(size: int) -> None:
    """Raises Refused when a file of that many bytes is too large."""
    if size > MAX_BYTES:
        message = f"the file is {size / 2**20:,.1f} MiB large, a blueprint may have 1 MiB"
        if size == MAX_BYTES + 1:
            message = "the file is larger than 1 MiB, the most that a blueprint may have"
        help_ = "split it, or move embedded scripts and data into files of their own"
        raise Refused(Problem(TOO_LARGE, message, help=help_))


def _insist_on_ordinary(mode: int) -> None:
    for is_kind, words, help_text in _KINDS:
        if is_kind(mode):
            raise Refused(Problem(NOT_A_FILE, f"this is {words}, not a file", help=help_text))


def _refusal(path: Path, error: OSError | ValueError | RuntimeError) -> Problem:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return _missing(path)
    if isinstance(error, PermissionError):
        help_text = "make it and the folders above it readable for you, for example with `chmod +r`"
        return Problem(UNREADABLE, "no permission to read the file", help=help_text)
    if isinstance(error, ValueError):
        return Problem(FILE_MISSING, "the name has a NUL character in it", help="correct the path")
    if isinstance(error, RuntimeError) or error.errno == ELOOP:  # which of the two depends on Python
        return Problem(UNREADABLE, "the path is a link that leads back to itself", help="remove the link")
    if error.errno == ENAMETOOLONG:
        return Problem(FILE_MISSING, "the name is longer than a file name can be", help="correct the path")
    return Problem(UNREADABLE, f"the file cannot be read: {error.strerror or error}")


def _missing(path: Path) -> Problem:
    if path.is_symlink():
        return Problem(
            FILE_MISSING,
            "this is a link to a file that does not exist",
            help="correct the link, or remove it",
        )
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except (OSError, ValueError):
        return Problem(FILE_MISSING, "the file does not exist, and neither does its folder")
    near = alike(path.name, names)
    return Problem(
        FILE_MISSING, "the file does not exist", help=did_you_mean(*(f"'{each}'" for each in near))
    )
