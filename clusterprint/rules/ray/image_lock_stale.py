from collections.abc import Iterator

from clusterprint.blueprint.content import TextFile
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.image_build import ImageBuild
from clusterprint.derived import names
from clusterprint.diagnostic import Severity
from clusterprint.errors import EnvironmentFailure
from clusterprint.image import lock
from clusterprint.image.inputs import inputs_of
from clusterprint.rules import _texts
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("RAY024", severity=Severity.WARNING, source="clusterprint: the lock file of an image")
def image_lock_stale(build: ImageBuild, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """The image that was built last was made from something else than what stands here now.

    The Ray pods run the image of the lock file. What has changed since its build (the Dockerfile, the
    packages, the Ray version) is not in it, and a Ray of another version refuses to work with clients.

    Build the image again, and commit the lock file with the change.
    """
    name = names.image_lock(context.blueprint.name)
    texts = [each for each in (build.dockerfile, build.requirements) if given(each)]
    if not all(_is_readable(each, context) for each in texts):
        return  # which another rule says
    try:
        locked = lock.read(context.folder / name)
    except lock.BrokenLock:
        return  # and this too
    if locked is None:
        return
    try:
        inputs = inputs_of(context.blueprint, build, context.folder)
    except EnvironmentFailure:
        return  # a file of the context that cannot be read, or is too large
    if locked.inputs != inputs.checksum:
        yield Finding(
            f"the image in {name} was made before the last change of what it is made from",
            context.at_key(build),
            help="run `clusterprint image BLUEPRINT --submit`, and commit the lock file",
        )


def _is_readable(text: TextFile, context: Context[RayBlueprint]) -> bool:
    content = _texts.content(text, context)
    return content is not None and _texts.is_text(content)
