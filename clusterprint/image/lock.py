"""The lock file beside a blueprint: which image its last build made, from what."""

import re
from pathlib import Path

import msgspec

from clusterprint import aside
from clusterprint.errors import EnvironmentFailure

#: What the digest of an image looks like.
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


class Lock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An image by digest, and the checksum of what it was made from."""

    image: str
    digest: str
    inputs: str

    @property
    def reference(self) -> str:
        """The image as Kubernetes and Docker name it."""
        return f"{self.image}@{self.digest}"


class BrokenLock(ValueError):  # noqa: N818 - it is the lock that is broken
    """The file is not a lock file: damaged, half merged, or of another version."""


def read(file: Path) -> Lock | None:
    """The lock, or None when nothing was built yet. Raises BrokenLock."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BrokenLock(error.strerror) from error
    try:
        found = msgspec.json.decode(content, type=Lock)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BrokenLock(str(error)) from error
    if not DIGEST.fullmatch(found.digest):
        raise BrokenLock(f"{found.digest!r} is not a digest")
    return found


def write(lock: Lock, file: Path) -> None:
    """Replace the lock file in one step. Raises EnvironmentFailure."""
    text = msgspec.json.format(msgspec.json.encode(lock), indent=2) + b"\n"
    try:
        aside.write(text, file, mode=0o644)
    except OSError as error:
        raise EnvironmentFailure(
            f"cannot write {file}: {error.strerror}; the image is {lock.reference}"
        ) from error
