"""Writing a report: whoever reads the file finds the old report or the new one, never half of one."""

import os
import tempfile
from pathlib import Path

from clusterprint.errors import EnvironmentFailure
from clusterprint.masking import mask


def write(text: str, file: Path) -> None:
    """Write a file aside and move it into place. Raises EnvironmentFailure if it cannot be written."""
    aside = ""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(mask(text))
        # What mkstemp makes is for its owner alone; a report is for everybody.
        Path(aside).chmod(0o666 & ~_umask())
        Path(aside).replace(file)
    except OSError as error:
        if aside:
            Path(aside).unlink(missing_ok=True)
        raise EnvironmentFailure(f"cannot write {file}: {error.strerror}") from error


def _umask() -> int:
    """The mask can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
