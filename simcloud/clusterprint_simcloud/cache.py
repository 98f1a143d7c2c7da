"""The folder for what is slow to make again: extracted schemas, a certificate."""

import os
import tempfile
from pathlib import Path


def folder() -> Path:
    """`$CLUSTERPRINT_CACHE`, else clusterprint in `$XDG_CACHE_HOME` or `~/.cache`; made if missing."""
    chosen = os.environ.get("CLUSTERPRINT_CACHE")
    if chosen:
        path = Path(chosen)
    else:
        base = os.environ.get("XDG_CACHE_HOME")
        path = (Path(base) if base else Path.home() / ".cache") / "clusterprint"
    path.mkdir(parents=True, exist_ok=True)
    return path


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
