"""The folder for what is slow to make again: extracted schemas, a certificate."""

import atexit
import functools
import os
import shutil
import tempfile
from pathlib import Path


def folder() -> Path:
    """`$CLUSTERPRINT_CACHE`, else clusterprint in `$XDG_CACHE_HOME` or `~/.cache`; made if missing.

    Where it cannot be written, as without a home, it is a folder that ends with the process.
    """
    try:
        path = _chosen()
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return path
    except (OSError, RuntimeError):  # what Path.home() raises is the latter
        return _temporary()


def _chosen() -> Path:
    if chosen := os.environ.get("CLUSTERPRINT_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "clusterprint"


@functools.cache
def _temporary() -> Path:
    made = tempfile.mkdtemp(prefix="clusterprint-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def write(path: Path, content: bytes) -> None:
    """Write so that a reader sees the old content or the new one, never a half: processes share the cache."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
