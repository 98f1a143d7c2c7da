"""gcloud, as the user has it on the PATH: objects of a bucket."""

import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from clusterprint.errors import EnvironmentFailure
from clusterprint.results.kubectl import Unanswered

# A request without an answer by then is repeated; a log may take longer.
_TIMEOUT_SECONDS = 60

# gcloud's messages about missing objects.
_MISSING = ("matched no objects", "No URLs matched", "not found: 404")

# Messages of errors that are not worth a retry.
_HOPELESS = (
    "do not currently have an active account",
    "Reauthentication",
    "refreshing your current auth tokens",
    "does not have storage.",
    "The specified bucket does not exist",
)


class Gcloud:
    """Objects of buckets, read as the user who is logged in; `project` pays for the question.

    `environment` is where gcloud is found.
    """

    def __init__(self, *, project: str, environment: Mapping[str, str] = os.environ) -> None:
        self._options = (f"--project={project}",)
        self._environment = environment

    def text(self, bucket: str, name: str) -> str:
        """The question for an object as one types it."""
        return shlex.join(self.words(bucket, name))

    def read(self, bucket: str, name: str) -> str | None:
        """A small object as text; None if there is none.

        Raises Unanswered if it may be worth asking again, EnvironmentFailure if not.
        """
        done = self._run(bucket, name, stdout=subprocess.PIPE, timeout=_TIMEOUT_SECONDS)
        return done.stdout.decode("utf-8", "replace") if _is_there(done) else None

    def fetch(self, bucket: str, name: str, file: Path) -> bool:
        """Write an object into a file; whether there is one. Raises as `read` does."""
        with file.open("wb") as stream:
            return _is_there(self._run(bucket, name, stdout=stream, timeout=None))

    def words(self, bucket: str, name: str) -> list[str]:
        """The question for an object."""
        return ["gcloud", "storage", "cat", f"gs://{bucket}/{name}", *self._options]

    def _run(
        self, bucket: str, name: str, *, stdout: int | IO[bytes], timeout: float | None
    ) -> "subprocess.CompletedProcess[bytes]":
        try:
            # A list of arguments, no shell; names come from the blueprint and match its patterns.
            return subprocess.run(
                self.words(bucket, name),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=subprocess.PIPE,
                timeout=timeout,
                check=False,
                env=self._environment,
            )
        except FileNotFoundError:
            raise EnvironmentFailure("gcloud is not installed, and is needed to fetch results") from None
        except OSError as error:
            raise EnvironmentFailure(f"gcloud cannot be run: {error.strerror}") from error
        except subprocess.TimeoutExpired:
            raise Unanswered("gcloud did not finish in time") from None


def _is_there(done: "subprocess.CompletedProcess[bytes]") -> bool:
    if done.returncode == 0:
        return True
    said = done.stderr.decode("utf-8", "replace").strip() or f"gcloud exited with {done.returncode}"
    if any(words in said for words in _HOPELESS):
        raise EnvironmentFailure(f"the bucket cannot be read: {said}\nto log in, run: gcloud auth login")
    if any(words in said for words in _MISSING):
        return False
    raise Unanswered(said)
