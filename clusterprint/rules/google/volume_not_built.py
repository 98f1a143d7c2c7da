from collections.abc import Iterator

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP100", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def volume_not_built(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """A volume is of a kind that is not built for this kind of cluster yet.

    The language knows the same volumes for every kind of cluster; what is built of them is not the same yet.
    Nothing is accepted that would then be left out. Volumes of NetApp that are there already cannot be looked
    up with the Terraform provider.

    Use a kind of volume that is built, or `storage.buckets`.
    """
    built = volumes.BUILT[context.blueprint.kind]
    if volume.kind not in built:
        yield Finding(
            f"volumes of kind {volume.kind} are not built for kind {context.blueprint.kind} yet",
            context.at(volume, "kind"),
            help=f"built are {', '.join(built)}" if built else "use storage.buckets, or files of your own",
        )
    elif volume.kind == "netapp" and not volume.create:
        yield Finding(
            f"an existing volume of NetApp, as {volume.name} is, is not mounted yet",
            context.at(volume, "create"),
            help="remove create: false, or mount it in a startup_script",
        )
