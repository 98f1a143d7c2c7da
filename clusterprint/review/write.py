"""Writing a report: whoever reads the file finds the old report or the new one, never half of one."""

from pathlib import Path

from clusterprint.errors import EnvironmentFailure
from clusterprint.files import atomic
from clusterprint.masking import mask


def write(text: str, file: Path) -> None:
    """Write a file aside and move it into place. Raises EnvironmentFailure if it cannot be written."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(mask(text).encode("utf-8", "backslashreplace"), file)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write {file}: {error.strerror}") from error
