"""Reading files that others name: ordinary ones, inside the repository, and never more than asked for.

A blueprint and what lies beside it may come from anybody's pull request. A link in it must not bring text of
the machine that looks at it into a message, a plan or an upload, and a pipe or a device must not keep it
waiting.
"""

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

# What a shell hands over as a path: a pipe, or a file that it has opened itself.
_HANDLE = re.compile(r"/dev/(?:stdin|fd/[0-9]+)|/proc/self/fd/[0-9]+")

_CHUNK = 1 << 20


class NotRead(Exception):  # noqa: N818 - it is the file that was not read
    """A file that is not read; the message completes "<name> ..."."""


def root_of(path: Path, named: Iterable[Path] = ()) -> Path:
    """The folder that nothing which is read for a file may lie outside of.

    The root of the git repository around it; without one, the folder among `named` that it is in, or its own.
    """
    folder = Path(os.path.abspath(path)).parent  # noqa: PTH100 - links stay
    repository = _repository(folder)
    if repository is not None:
        return repository
    above = (Path(os.path.abspath(each)) for each in named)  # noqa: PTH100
    return next((each for each in above if folder.is_relative_to(each)), folder)


def _repository(folder: Path) -> Path | None:
    """The nearest folder with a `.git`, unless a link of a repository further up leads to it.

    It is looked for by name, without git and whatever else the folder holds.
    """
    found, linked = None, False
    for each in (folder, *folder.parents):
        if os.path.lexists(each / ".git") and (found is None or linked):
            found, linked = each, False
        linked = linked or os.path.islink(each)  # noqa: PTH114 - False for what cannot be looked at
    return found


def is_handle(path: Path) -> bool:
    """Whether a path stands for what the shell has opened: /dev/stdin, or `<(...)`."""
    return _HANDLE.fullmatch(str(path)) is not None


def leads_out(path: Path, root: Path) -> bool:
    """Whether a path ends outside of a folder, through links or `..`."""
    try:
        return not path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):  # a loop of links leads nowhere; opening it says so
        return False


def open_ordinary(path: Path) -> int:
    """A handle of a regular file that is no link, to read from. Raises NotRead, OSError.

    Looked at before it is opened, for that alone can do things to a device, and again afterwards.
    """
    _insist_on_regular(path.lstat().st_mode)
    handle = os.open(path, os.O_RDONLY | _NO_SURPRISES)
    try:
        _insist_on_regular(os.fstat(handle).st_mode)
    except BaseException:
        os.close(handle)
        raise
    return handle


_NO_SURPRISES = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))


def _insist_on_regular(mode: int) -> None:
    if stat.S_ISLNK(mode):
        raise NotRead("is a link")
    if not stat.S_ISREG(mode):
        raise NotRead("is a folder" if stat.S_ISDIR(mode) else "is a pipe, a socket or a device")


def read(path: Path, most: int) -> bytes:
    """All bytes of a regular file that is no link and has at most `most` of them. Raises NotRead, OSError."""
    handle = open_ordinary(path)
    try:
        content = read_handle(handle, most + 1)
    finally:
        os.close(handle)
    if len(content) > most:
        raise NotRead(f"is larger than {most:,} bytes")
    return content


def read_handle(handle: int, most: int) -> bytes:
    """The next bytes of a handle, at most so many. Raises NotRead, OSError.

    The size of a file says little: files of the kernel say 0, and a file can grow.
    """
    parts: list[bytes] = []
    left = most
    while left:
        try:
            part = os.read(handle, min(left, _CHUNK))
        except BlockingIOError:
            raise NotRead("has nothing to read yet, and may never have") from None
        if not part:
            break
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
