"""kubectl, as the user has it on the PATH."""

import json
import os
import shlex
import subprocess
from collections.abc import Mapping
from copy import copy
from pathlib import Path
from typing import Any

from clusterprint.errors import EnvironmentFailure

# A question that is not answered by then is asked again.
_TIMEOUT_SECONDS = 30

# What stands in kubectl's own words for mistakes that no second try will fix.
_HOPELESS = (
    "does not exist",  # the context, in the user's configuration
    "executable gke-gcloud-auth-plugin not found",
    "Unauthorized",
    "Forbidden",
    "forbidden",
    "must be logged in",
)


class Unanswered(Exception):  # noqa: N818 - no failure yet
    """The cluster could not be asked, for now; the message is kubectl's."""


class Kubectl:
    """Questions to one cluster, in one namespace.

    `login` is the command that makes the cluster known to kubectl, for messages. In `environment` kubectl is
    found.
    """

    def __init__(
        self, *, context: str, namespace: str, login: str, environment: Mapping[str, str] = os.environ
    ) -> None:
        self._options = (f"--context={context}", f"--namespace={namespace}")
        self._login = login
        self._environment = environment

    def within(self, environment: Mapping[str, str]) -> "Kubectl":
        """The same questions, to the kubectl of another environment."""
        found = copy(self)
        found._environment = environment  # noqa: SLF001 - its own kind
        return found

    def find(self, kind: str, name: str) -> dict[str, Any] | None:
        """An object, or None if there is none, or not even its kind.

        Raises Unanswered if it may be worth asking again, EnvironmentFailure if not.
        """
        try:
            found = self._ask("get", kind, name, "--ignore-not-found", "--output=json")
        except Unanswered as error:
            if "the server doesn't have a resource type" in str(error):
                return None
            raise
        return found or None

    def list(self, kind: str, selector: str) -> list[dict[str, Any]]:
        """All objects of a kind with certain labels; raises as `find` does."""
        found: list[dict[str, Any]] = self._ask("get", kind, f"--selector={selector}", "--output=json")[
            "items"
        ]
        return found

    def logs(self, pod: str, container: str, file: Path) -> None:
        """Write what a container has printed into a file; raises as `find` does."""
        with file.open("wb") as stream:
            done = self._run("logs", pod, f"--container={container}", stdout=stream, timeout=None)
        self._judge(done)

    def create(self, document: Mapping[str, Any]) -> str:
        """Make an object, once; kubectl's name for it. Raises as `find` does."""
        done = self._run(
            *("create", "--filename=-", "--output=name", f"--request-timeout={_TIMEOUT_SECONDS}s"),
            stdout=subprocess.PIPE,
            timeout=2 * _TIMEOUT_SECONDS,
            given=json.dumps(document).encode(),
        )
        self._judge(done)
        return done.stdout.decode("utf-8", "replace").strip()

    def text(self, *arguments: str) -> str:
        """A question as one types it."""
        return shlex.join(["kubectl", *self._options, *arguments])

    def _ask(self, *arguments: str) -> dict[str, Any]:
        """The JSON output of kubectl; empty output is an empty map."""
        done = self._run(
            *arguments,
            f"--request-timeout={_TIMEOUT_SECONDS}s",
            stdout=subprocess.PIPE,
            timeout=2 * _TIMEOUT_SECONDS,
        )
        self._judge(done)
        try:
            answer = json.loads(done.stdout or b"{}")
        except ValueError:
            raise Unanswered("kubectl did not answer in JSON") from None
        return answer if isinstance(answer, dict) else {}

    def _run(
        self, *arguments: str, stdout: Any, timeout: float | None, given: bytes = b""
    ) -> "subprocess.CompletedProcess[bytes]":
        try:
            # A list of arguments, no shell; names come from the blueprint and match its patterns.
            return subprocess.run(
                ["kubectl", *self._options, *arguments],
                input=given,
                stdout=stdout,
                stderr=subprocess.PIPE,
                timeout=timeout,
                check=False,
                env=self._environment,
            )
        except FileNotFoundError:
            raise EnvironmentFailure(
                f"kubectl is not installed, and is needed to fetch results; once it is, run: {self._login}"
            ) from None
        except OSError as error:
            raise EnvironmentFailure(f"kubectl cannot be run: {error.strerror}") from error
        except subprocess.TimeoutExpired:
            raise Unanswered("kubectl did not finish in time") from None

    def _judge(self, done: "subprocess.CompletedProcess[bytes]") -> None:
        if done.returncode == 0:
            return
        said = done.stderr.decode("utf-8", "replace").strip() or f"kubectl exited with {done.returncode}"
        if any(words in said for words in _HOPELESS):
            purpose = "create it there" if self._login.startswith("clusterprint ") else "get its credentials"
            raise EnvironmentFailure(f"cannot reach the cluster: {said}\nto {purpose}, run: {self._login}")
        raise Unanswered(said)
