from clusterprint.blueprint.ray.image_build import RayImageBuild
from clusterprint.derived import names
from clusterprint.image import lock
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY023", severity=Severity.ERROR, source="clusterprint: the lock file of an image", firm=True)
def image_lock_not_readable(build: RayImageBuild, context: Context) -> Iterator[Finding]:
    """The lock file of the image is damaged, half merged, or not an ordinary file.

    It says by digest which image the Ray pods run, and cannot be read. A link, a pipe or a file of more than
    4 KiB is not even opened.

    Restore the file from version control, or remove it and build the image again.
    """
    name = names.image_lock(context.blueprint.name)
    try:
        lock.read(context.folder / name)
    except lock.BrokenLock as error:
        yield Finding(
            f"{name} {error}",
            context.at_key(build),
            help="restore it, or remove it and run `clusterprint image BLUEPRINT --submit`",
        )
