"""The lock file beside a blueprint: the digest of the last image build and its inputs.

A synth therefore depends on files in the repository only.
"""

import re
from pathlib import Path

import msgspec

from clusterprint.errors import EnvironmentFailure
from clusterprint.files import atomic, inside, safe_write

#: What the digest of an image looks like.
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_CHECKSUM = re.compile(r"[0-9a-f]{64}")

# Three values: a name of a few hundred characters and two checksums.
_MOST_BYTES = 4096


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
    """The file is not a lock file: damaged, half merged, or of another version. Completes "<name> ..."."""


def read(file: Path) -> Lock | None:
    """The lock, or None when nothing was built yet.

    Raises BrokenLock for what is no lock, and for what is not even opened: a link, a pipe, a large file.
    """
    try:
        content = inside.read(file, _MOST_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BrokenLock(f"cannot be read: {error.strerror}") from error
    except inside.NotRead as error:
        raise BrokenLock(str(error)) from error
    try:
        found = msgspec.json.decode(content, type=Lock)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BrokenLock(f"is not a lock file of clusterprint: {error}") from error
    if not DIGEST.fullmatch(found.digest):
        raise BrokenLock("is not a lock file of clusterprint: its digest is not sha256: and 64 hex digits")
    if not _CHECKSUM.fullmatch(found.inputs):
        raise BrokenLock("is not a lock file of clusterprint: its inputs are not 64 hex digits")
    return found


def write(lock: Lock, file: Path) -> None:
    """Replace the lock file in one step. Raises EnvironmentFailure."""
    text = msgspec.json.format(msgspec.json.encode(lock), indent=2) + b"\n"
    try:
        safe_write.through_no_link(file, file.parent)
        atomic.write(text, file, mode=0o644)
    except OSError as error:
        raise EnvironmentFailure(
            f"cannot write {file}: {error.strerror}; the image is {lock.reference}"
        ) from error
