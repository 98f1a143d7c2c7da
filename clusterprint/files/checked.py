"""Files below a blueprint's folder, read again once validation has seen them.

What has become of one in between is nobody's mistake, and is said as what it is.
"""

import base64
import hashlib
import os
from pathlib import Path

from clusterprint.errors import EnvironmentFailure
from clusterprint.files import inside

# More than any text, or any file of a job, may have. Larger files are copied, not held.
_MOST_BYTES = 1 << 26
_CHUNK = 1 << 20


def content_of(file: Path, folder: Path) -> bytes:
    """All bytes of a file. Raises EnvironmentFailure."""
    try:
        return inside.read(_real(file, folder), _MOST_BYTES)
    except (OSError, inside.NotRead) as error:
        raise _gone(file, error) from error


def md5_of(file: Path, folder: Path) -> str:
    """The checksum of a file as Cloud Storage keeps it: in base64. Raises EnvironmentFailure."""
    return _pass_on(file, folder, None)


def checksum(content: bytes) -> str:
    """The same of bytes in hand."""
    return base64.b64encode(hashlib.md5(content, usedforsecurity=False).digest()).decode("ascii")


def copy(file: Path, folder: Path, target: Path, md5: str) -> None:
    """Copy a file of this checksum. Raises EnvironmentFailure; OSError where the target cannot be written."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if _pass_on(file, folder, target) != md5:
        raise EnvironmentFailure(f"{file} changed while it was used: run the command again")


def _pass_on(file: Path, folder: Path, target: Path | None) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    try:
        handle = inside.open_ordinary(_real(file, folder))
    except (OSError, inside.NotRead) as error:
        raise _gone(file, error) from error
    with Path(os.devnull if target is None else target).open("wb") as stream:
        try:
            while part := _next(file, handle):
                digest.update(part)
                stream.write(part)
        finally:
            os.close(handle)
    return base64.b64encode(digest.digest()).decode("ascii")


def _next(file: Path, handle: int) -> bytes:
    try:
        return inside.read_handle(handle, _CHUNK)
    except (OSError, inside.NotRead) as error:
        raise _gone(file, error) from error


def _real(file: Path, folder: Path) -> Path:
    if inside.leads_out(file, folder):
        raise inside.NotRead("leads out of the blueprint's folder")
    return file.resolve(strict=True)


def _gone(file: Path, error: Exception) -> EnvironmentFailure:
    reason = f"{error}"
    if isinstance(error, OSError):
        reason = "is gone" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
    return EnvironmentFailure(f"{file} was fine when the blueprint was checked, and now {reason}")
