"""Handing a build to Cloud Build with gcloud, and waiting for what becomes of it."""

import json
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread, Timer
from typing import Any

from clusterprint.errors import EnvironmentFailure
from clusterprint.image import job
from clusterprint.image.lock import DIGEST, Lock
from clusterprint.plan.builds import ImagePlan

Say = Callable[[str], None]
Environment = Mapping[str, str] | None

_ID = re.compile(r"builds/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_RUNNING = frozenset({"STATUS_UNKNOWN", "PENDING", "QUEUED", "WORKING"})
_LOOK_EVERY = 10.0
# A build may stand in the queue of its pool, for an hour unless told otherwise, before its time begins.
_QUEUE_SECONDS = 3600


class BuildFailed(EnvironmentFailure):
    """The build ended without an image, or what became of it is not known."""


def submit(plan: ImagePlan, folder: Path, say: Say, environment: Environment = None) -> Lock:
    """Submit the build, wait for its end, and return what it made.

    `folder` is the blueprint's. `say` is told what gcloud says, and the log of a build that fails.
    `environment` is that of gcloud, if it is not ours. Raises BuildFailed, and EnvironmentFailure without
    gcloud or with a file that has changed.
    """
    with tempfile.TemporaryDirectory(prefix="clusterprint-image-") as laid:
        job.lay(plan, folder, Path(laid))
        done = _gcloud(job.command(plan, Path(laid)), plan.timeout_seconds + _QUEUE_SECONDS, say, environment)
    build = _decoded(done.stdout)
    name = build.get("id") or _id(done.stderr)
    if build and not _is_running(build):
        return _made(plan, build, name, say, environment)
    if name is None:
        raise BuildFailed(f"no build was submitted: gcloud ended with {done.returncode}")
    return wait(plan, name, say, environment)


def wait(plan: ImagePlan, build: str, say: Say, environment: Environment = None) -> Lock:
    """Wait for the end of a build that was submitted before, and return what it made. Raises as `submit`."""
    command = ["gcloud", "builds", "describe", build, *_where(plan), "--format=json"]
    deadline = time.monotonic() + plan.timeout_seconds + _QUEUE_SECONDS
    while True:
        done = _gcloud(command, 120, say, environment)
        seen = _decoded(done.stdout)
        if done.returncode or not seen:
            say(_log(plan, build, environment))
            raise BuildFailed(f"the result of build {build} is not known; {_again(plan.short_name, build)}")
        if not _is_running(seen):
            return _made(plan, seen, build, say, environment)
        if time.monotonic() > deadline:
            raise BuildFailed(f"build {build} is still running; {_again(plan.short_name, build)}")
        time.sleep(_LOOK_EVERY)


def _made(
    plan: ImagePlan, build: dict[str, Any], name: str | None, say: Say, environment: Environment
) -> Lock:
    """The image of a build that has ended; with its log said, a failure, if it made none."""
    status = build.get("status")
    if status != "SUCCESS":
        if name:
            say(_log(plan, name, environment))
        reason = build.get("failureInfo", {}).get("detail") or build.get("statusDetail") or ""
        raise BuildFailed(f"build {name} ended with {status}{f': {reason}' if reason else ''}")
    images = build.get("results", {}).get("images") or []
    digests = [each.get("digest", "") for each in images if each.get("name") == plan.name]
    if not digests or not DIGEST.fullmatch(digests[0]):
        raise BuildFailed(
            f"build {name} succeeded, but reports no digest of {plan.name}: nothing is recorded"
        )
    return Lock(image=plan.image, digest=digests[0], inputs=plan.inputs)


def _log(plan: ImagePlan, build: str, environment: Environment) -> str:
    command = ["gcloud", "builds", "log", build, *_where(plan)]
    done = _gcloud(command, 120, lambda _: None, environment)
    return done.stdout.rstrip() or f"the log of build {build} could not be read: {done.stderr.strip()}"


def _where(plan: ImagePlan) -> list[str]:
    return [f"--project={plan.project}", f"--region={plan.region}"]


def _again(name: str, build: str) -> str:
    return f"to wait for it: clusterprint image BLUEPRINT --name {name} --build {build}"


def _decoded(text: str) -> dict[str, Any]:
    """A build as gcloud prints it; empty if it is none."""
    try:
        build = json.loads(text)
    except ValueError:
        return {}
    return build if isinstance(build, dict) and isinstance(build.get("status"), str) else {}


def _is_running(build: dict[str, Any]) -> bool:
    return build["status"] in _RUNNING


def _id(text: str) -> str | None:
    found = _ID.search(text)
    return found[1] if found else None


def _gcloud(
    command: list[str], seconds: float, say: Say, environment: Environment
) -> "subprocess.CompletedProcess[str]":
    """Run gcloud to completion, with what it says on standard error passed on as it comes."""
    try:
        process = subprocess.Popen(  # noqa: S603 - a list, without a shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
    except OSError as error:
        raise EnvironmentFailure(
            f"cannot run gcloud ({error.strerror}): install the Google Cloud CLI, and log in with"
            " gcloud auth login"
        ) from error
    heard: list[str] = []
    listener = Thread(target=_listen, args=(process, heard, say))
    alarm = Timer(seconds, process.kill)
    with process:
        listener.start()
        alarm.start()
        try:
            printed = process.stdout.read() if process.stdout else ""
            process.wait()
        except KeyboardInterrupt:
            process.kill()
            name = _id("".join(heard))
            goes_on = (
                f"build {name} goes on; {_again('NAME', name)}" if name else "a build may have been submitted"
            )
            raise BuildFailed(f"interrupted: {goes_on}") from None
        finally:
            alarm.cancel()
            listener.join()
    return subprocess.CompletedProcess(command, process.returncode, printed, "".join(heard))


def _listen(process: "subprocess.Popen[str]", heard: list[str], say: Say) -> None:
    for line in process.stderr or ():
        heard.append(line)
        say(line.rstrip("\n"))
