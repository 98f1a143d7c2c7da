from collections.abc import Iterator

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP100", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def volume_not_built(volume: GoogleVolume, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """A volume is of a kind that is not built.

    The language knows Parallelstore, which Google gives by invitation only. Nothing is accepted that would
    then be left out.

    Use a kind of volume that is built, or `storage.buckets`.
    """
    if volume.kind not in volumes.BUILT:
        yield Finding(
            f"volumes of kind {volume.kind} are not built for kind {context.blueprint.kind} yet",
            context.at(volume, "kind"),
            help=f"built are {', '.join(volumes.BUILT)}",
        )
