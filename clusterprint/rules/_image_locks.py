"""Helpers of rules about lock files of images."""

from collections.abc import Iterator

from clusterprint.blueprint.content import TextFile
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.diagnostic import Label
from clusterprint.errors import EnvironmentFailure
from clusterprint.image import lock
from clusterprint.image.inputs import Build, inputs_of
from clusterprint.rules import _paths, _texts
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding

#: The help for whatever is wrong with such a file.
BUILD_AGAIN = "restore it, or remove it and run `clusterprint image BLUEPRINT --submit`"


def damaged(file: str, place: Label, context: Context) -> Iterator[Finding]:
    """The finding about a lock file that cannot be read."""
    try:
        lock.read(context.folder / file)
    except lock.BrokenLock as error:
        yield Finding(f"{file} {error}", place, help=BUILD_AGAIN)


def of_other(file: str, image: str, whose: str, place: Label, context: Context) -> Iterator[Finding]:
    """The finding about a lock file that names another image; none where it cannot be read."""
    try:
        locked = lock.read(context.folder / file)
    except lock.BrokenLock:
        return
    if locked is not None and locked.image != image:
        named = _paths.shown(locked.image)
        yield Finding(f"{file} names {named}, but this {whose}'s image is {image}", place, help=BUILD_AGAIN)


def is_stale(build: Build, context: Context[RayBlueprint] | Context[GkeBlueprint], name: str) -> bool:
    """Whether the image in a lock file was made from something else; not where other rules say why not."""
    texts = [each for each in (build.dockerfile, build.requirements) if given(each)]
    if not all(_is_readable(each, context) for each in texts):
        return False
    try:
        locked = lock.read(context.folder / name)
    except lock.BrokenLock:
        return False
    if locked is None:
        return False
    try:
        inputs = inputs_of(context.blueprint, build, context.folder)
    except EnvironmentFailure:
        return False  # a file of the context that cannot be read, or is too large
    return locked.inputs != inputs.checksum


def _is_readable(text: TextFile, context: Context) -> bool:
    content = _texts.content(text, context)
    return content is not None and _texts.is_text(content)
