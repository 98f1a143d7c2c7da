"""gcloud from the PATH of the world that Terraform runs in."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence

from clusterprint.errors import EnvironmentFailure

_TIMEOUT_SECONDS = 120


def gcloud(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """The output of a gcloud command. Raises EnvironmentFailure if gcloud is missing or fails."""
    program = shutil.which("gcloud", path=environment.get("PATH"))
    if program is None:
        raise EnvironmentFailure(
            "gcloud is not installed, and is needed for states and networks: "
            "https://cloud.google.com/sdk/docs/install"
        )
    try:
        # A list of words, no shell.
        done = subprocess.run(
            [program, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
            env=dict(environment),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EnvironmentFailure(f"gcloud {' '.join(words)} did not work: {error}") from error
    if done.returncode:
        raise EnvironmentFailure(f"gcloud {' '.join(words)} failed: {done.stderr.strip()}")
    return done.stdout
