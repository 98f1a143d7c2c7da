"""Files that are made once and kept in the user's cache folder.

A kept file is called `<key>-<digest of its content>`: what is damaged does not match its own name, and two
processes that make the same file at the same time write the same name. So no lock is needed.
"""

import hashlib
import os
import tempfile
from pathlib import Path


def cache_folder() -> Path | None:
    """`CLUSTERPRINT_CACHE`, or `clusterprint` in the user's cache folder; None when there is no home."""
    if chosen := os.environ.get("CLUSTERPRINT_CACHE"):
        return Path(chosen).absolute()
    # The XDG specification says that a relative path is to be ignored.
    if (chosen := os.environ.get("XDG_CACHE_HOME")) and Path(chosen).is_absolute():
        return Path(chosen) / "clusterprint"
    try:
        return Path.home() / ".cache" / "clusterprint"
    except RuntimeError:
        return None


def is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder; makes the folder, readable for its owner only."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def find(folder: Path, key: str) -> Path | None:
    """The file kept under a key; None when there is none, or only damaged ones."""
    for candidate in folder.glob(f"{key}-*.tgz"):
        try:
            if candidate.name == _name(key, candidate.read_bytes()):
                return candidate
        except OSError:
            continue
    return None


def keep(folder: Path, key: str, content: bytes) -> Path:
    """Writes a file aside, then gives it its name. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, aside = tempfile.mkstemp(dir=folder, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        target = folder / _name(key, content)
        Path(aside).replace(target)
    except BaseException:  # also when interrupted: nothing half-written stays behind
        Path(aside).unlink(missing_ok=True)
        raise
    return target


def _name(key: str, content: bytes) -> str:
    return f"{key}-{hashlib.sha256(content).hexdigest()}.tgz"
