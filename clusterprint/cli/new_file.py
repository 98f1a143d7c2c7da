"""New files that a command writes: nothing is overwritten."""

import os
from pathlib import Path

from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.files.atomic import write as write_aside


def write(text: str, target: Path, *, replaces: bool = False) -> None:
    """Write a new file, and the folder that it is in; or one in place of another, if that is known to go.

    Raises UsageError for one that is there already, EnvironmentFailure where nothing can be written.
    """
    if os.path.lexists(target) and not replaces:
        raise UsageError(f"{target} exists already, and nothing is overwritten: name another with --out")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_aside(text.encode(), target)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write to {target}: {error.strerror}") from error
