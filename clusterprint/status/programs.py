"""The clouds' own programs, asked in the world that Terraform runs in."""

import json
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

_TIMEOUT_SECONDS = 60
_SHOWN = 300

# What a simulated world has, and the variable that leads there.
_SIMULATED = ("gcloud", "kubectl", "az", "ssh", "simulated-time")
_CLOUD = "CLUSTERPRINT_SIMULATED_CLOUD"

# What gcloud says of something that is not there.
_MISSING = ("matched no objects", "No URLs matched", "not found: 404", "was not found", "No such object")


class Unasked(Exception):  # noqa: N818 - no error: nothing is known
    """Something could not be asked; the message says why."""


class Missing(Unasked):
    """It was asked for, and is not there."""


class Programs(NamedTuple):
    """Programs as they are on the PATH of a world; a simulated one has its own, and nothing else.

    Each may take some `seconds`.
    """

    environment: Mapping[str, str]
    simulated: bool = False
    seconds: int = _TIMEOUT_SECONDS

    def text(self, program: str, *words: str) -> str:
        """The output of a program. Raises Missing if it did not find the object, else Unasked."""
        if self.simulated and (program not in _SIMULATED or _CLOUD not in self.environment):
            raise Unasked(f"the simulated cloud has no {program}")
        found = shutil.which(program, path=self.environment.get("PATH"))
        if found is None:
            raise Unasked(f"{program} is not installed")
        try:
            # A list of words, no shell; names come from the blueprint and match its patterns.
            done = subprocess.run(
                [found, *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=self.seconds,
                check=False,
                env=dict(self.environment),
            )
        except subprocess.TimeoutExpired:
            raise Unasked(f"{program} did not finish in {self.seconds} s") from None
        except OSError as error:
            raise Unasked(f"{program} cannot be run: {error.strerror}") from error
        if done.returncode:
            said = " ".join(done.stderr.split())[:_SHOWN] or f"it exited with {done.returncode}"
            kind = Missing if any(words in said for words in _MISSING) else Unasked
            raise kind(f"{program}: {said}")
        return done.stdout

    def now(self) -> datetime:
        """The time in the world. Raises Unasked if a simulated one does not say."""
        if not self.simulated:
            return datetime.now(UTC)
        return datetime.fromisoformat(self.text("simulated-time", "0").strip())

    def items(self, program: str, *words: str) -> list[dict[str, Any]]:
        """The objects in the JSON that a program prints: a list, or what a list of Kubernetes holds."""
        return objects(program, lambda: self.text(program, *words))


def objects(program: str, ask: Callable[[], str]) -> list[dict[str, Any]]:
    """The objects in an answer. Raises Unasked if it is none."""
    try:
        data = json.loads(ask() or "[]")
    except ValueError:
        raise Unasked(f"{program} did not answer in JSON") from None
    found: Sequence[Any] = data.get("items", ()) if isinstance(data, dict) else data
    if not isinstance(found, list):
        raise Unasked(f"{program} did not answer with a list")
    return [each for each in found if isinstance(each, dict)]
