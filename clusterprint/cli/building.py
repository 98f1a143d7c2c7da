"""A build of an image as commands show it: what is said meanwhile, and what is recorded at its end."""

from pathlib import Path
from typing import TYPE_CHECKING

from clusterprint.cli.output import say

if TYPE_CHECKING:
    from clusterprint.image.lock import Lock
    from clusterprint.plan.builds import ImagePlan


def build(plan: "ImagePlan", folder: Path) -> None:
    """Submit a build, wait for its end and record the image. `folder` is the blueprint's.

    Raises BuildFailed, and EnvironmentFailure without gcloud.
    """
    from clusterprint.image import submit

    say_aside(f"building {plan.name}, for at most {plan.timeout_seconds // 60} minutes ...")
    record(plan, folder, submit.submit(plan, folder, say_aside))


def record(plan: "ImagePlan", folder: Path, made: "Lock") -> None:
    """Write the lock file of an image that was built, and list what is in it where that is wanted."""
    from clusterprint.image import lock, sbom

    lock.write(made, folder / plan.lock)
    say(made.reference)
    say_aside(f"recorded in {folder / plan.lock}: commit it with the blueprint")
    if plan.sbom:
        sbom.export(made.reference, plan.project, say_aside)


def say_aside(line: str) -> None:
    """What is no result of the command."""
    say(line, err=True)
