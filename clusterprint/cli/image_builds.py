"""Builds of images in commands: which are due, their progress, and their lock files."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clusterprint.cli.output import say
from clusterprint.examine import Examined
from clusterprint.files import safe_write
from clusterprint.words import listed

if TYPE_CHECKING:
    from clusterprint.image.lock import Lock
    from clusterprint.plan.builds import ImagePlan


class Due(NamedTuple):
    """An image that was never built, or from something else: its build, the blueprint's folder.

    `stack` is the one that has what the build needs.
    """

    plan: "ImagePlan"
    folder: Path
    stack: str


def due(examined: Examined) -> list[Due]:
    """The images of valid blueprints that have to be built."""
    from clusterprint.derived import state_names
    from clusterprint.resolve.images import is_current, resolve_images

    return [
        Due(plan, each.document.folder, state_names.cluster_stack(each.blueprint.name))
        for each in examined.results
        if each.blueprint is not None
        for plan in resolve_images(each.blueprint, each.document.folder)
        if not is_current(plan, each.document.folder)
    ]


def names_of(images: Sequence[Due]) -> str:
    """Their names, in a sentence."""
    noun = "image" if len(images) == 1 else "images"
    return f"{noun} {listed([each.plan.short_name for each in images], 'and')}"


@contextmanager
def for_now(images: Sequence[Due]) -> Iterator[None]:
    """Restore lock files at the end: a simulated cloud builds no real image."""
    files = [each.folder / each.plan.lock for each in images]
    for file in files:
        safe_write.through_no_link(file, file.parent)
    before = {file: file.read_bytes() if file.exists() else None for file in files}
    try:
        yield
    finally:
        for file, content in before.items():
            if content is None:
                file.unlink(missing_ok=True)
            else:
                safe_write.write(content, file, file.parent, mode=0o644)


def build(plan: "ImagePlan", folder: Path, environment: Mapping[str, str] | None = None) -> None:
    """Submit a build, wait for it and record the image. `folder` is the blueprint's.

    `environment` is that of gcloud, if it is not ours. Raises BuildFailed, and EnvironmentFailure without
    gcloud.
    """
    from clusterprint.image import submit

    say_aside(f"building {plan.name}, for at most {plan.timeout_seconds // 60} minutes ...")
    record(plan, folder, submit.submit(plan, folder, say_aside, environment), environment)


def record(
    plan: "ImagePlan", folder: Path, made: "Lock", environment: Mapping[str, str] | None = None
) -> None:
    """Write the lock file of an image that was built, and list what is in it where that is wanted."""
    from clusterprint.image import lock, sbom

    lock.write(made, folder / plan.lock)
    say(made.reference)
    say_aside(f"recorded in {folder / plan.lock}: commit it with the blueprint")
    if plan.sbom:
        sbom.export(made.reference, plan.project, say_aside, environment)


def say_aside(line: str) -> None:
    """Print progress to standard error."""
    say(line, err=True)
