from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.derived import names
from clusterprint.image import lock
from clusterprint.image import provisioner as sources
from clusterprint.image.provisioner import image_name
from clusterprint.rules import _image_locks
from clusterprint.rules.gke._provisioner_images import is_built, read
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE313", severity=Severity.ERROR, firm=True)
def provisioner_image_lock_unfit(
    provisioner: TpuProvisioner, context: Context[GkeBlueprint]
) -> Iterator[Finding]:
    if is_built(provisioner):
        file, place = names.provisioner_lock(context.blueprint.name), context.at_key(provisioner)
        yield from _image_locks.damaged(file, place, context)
        yield from _image_locks.of_other(file, image_name(context.blueprint), "cluster", place, context)


@rule("GKE314", severity=Severity.WARNING)
def provisioner_image_stale(provisioner: TpuProvisioner, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    if not is_built(provisioner):
        return
    try:
        locked = read(context)
    except lock.BrokenLock:
        return  # which another rule says
    if locked is None or locked.image != sources.image_name(context.blueprint):
        return  # and this, too
    if locked.inputs != sources.checksum():
        yield Finding(
            f"the image in {names.provisioner_lock(context.blueprint.name)} was built from the sources of "
            "another version of clusterprint",
            context.at_key(provisioner),
            help="run `clusterprint image BLUEPRINT --submit`, and commit the lock file",
        )
