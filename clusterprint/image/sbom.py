"""The list of all that is in an image, which Artifact Analysis makes of what its scan has found."""

import json
import shlex
import subprocess
import time
from collections.abc import Callable, Mapping
from typing import Any

from clusterprint.errors import EnvironmentFailure

Say = Callable[[str], None]
Environment = Mapping[str, str] | None

# A scan begins when the image is pushed, and takes minutes for one with CUDA.
_SCAN_SECONDS = 1800
_LOOK_EVERY = 15.0
_CALL_SECONDS = 300
_DONE, _FAILED = "FINISHED_SUCCESS", ("FINISHED_FAILED", "FINISHED_UNSUPPORTED")


def export(reference: str, project: str, say: Say, environment: Environment = None) -> None:
    """Wait for the scan of an image, and have its list stored beside what else is known of it.

    `environment` is that of gcloud, if it is not ours. Raises EnvironmentFailure, with the command to do it
    by hand: the image itself is there.
    """
    command = ["gcloud", "artifacts", "sbom", "export", f"--uri={reference}", f"--project={project}"]
    by_hand = f"the image exists; once it is scanned, run: {shlex.join(command)}"
    say("waiting for the scan of the image ...")
    deadline = time.monotonic() + _SCAN_SECONDS
    while (status := _scan(reference, project, by_hand, environment)) != _DONE:
        if status in _FAILED:
            raise EnvironmentFailure(
                f"the scan of {reference} ended with {status}: there is no list of its contents"
            )
        if time.monotonic() > deadline:
            raise EnvironmentFailure(f"{reference} has not been scanned in time: {by_hand}")
        time.sleep(_LOOK_EVERY)
    done = _gcloud(command, by_hand, environment)
    if done.returncode:
        raise EnvironmentFailure(f"no list of what is in the image was stored: {_said(done)}; {by_hand}")
    say(f"what is in the image is listed: gcloud artifacts sbom list --uri={reference}")


def _scan(reference: str, project: str, by_hand: str, environment: Environment) -> str:
    """How far the scan is; empty before it begins."""
    command = ["gcloud", "artifacts", "docker", "images", "describe", reference]
    command += ["--show-package-vulnerability", f"--project={project}", "--format=json"]
    done = _gcloud(command, by_hand, environment)
    if done.returncode:
        raise EnvironmentFailure(f"the scan of the image is not known: {_said(done)}; {by_hand}")
    try:
        found: Any = json.loads(done.stdout)
        summaries = found["discovery_summary"]["discovery"]
        return str(summaries[0]["discovery"]["analysisStatus"])
    except (ValueError, LookupError, TypeError):
        return ""


def _gcloud(command: list[str], by_hand: str, environment: Environment) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(  # noqa: S603 - a list, without a shell
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_CALL_SECONDS,
            env=environment,
        )
    except OSError as error:
        raise EnvironmentFailure(f"cannot run gcloud ({error.strerror}): {by_hand}") from error
    except subprocess.TimeoutExpired:
        raise EnvironmentFailure(f"gcloud did not finish in time: {by_hand}") from None


def _said(done: "subprocess.CompletedProcess[str]") -> str:
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"gcloud ended with {done.returncode}"
