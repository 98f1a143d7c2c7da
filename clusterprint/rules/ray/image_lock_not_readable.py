from clusterprint.blueprint.ray.image_build import RayImageBuild
from clusterprint.derived import names
from clusterprint.rules import _image_locks
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY023", severity=Severity.ERROR, source="clusterprint: the lock file of an image", firm=True)
def image_lock_not_readable(build: RayImageBuild, context: Context) -> Iterator[Finding]:
    """The lock file of the image is damaged, half merged, or not an ordinary file.

    It says by digest which image the Ray pods run, and cannot be read. A link, a pipe or a file of more than
    4 KiB is not even opened.

    Restore the file from version control, or remove it and build the image again.
    """
    file = names.image_lock(context.blueprint.name)
    yield from _image_locks.damaged(file, context.at_key(build), context)
