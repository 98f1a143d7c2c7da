from collections.abc import Iterator

from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.derived import azure_volumes
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("AZ090", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def azure_volume_not_built(volume: AzureVolume, context: Context) -> Iterator[Finding]:
    """A volume is of a kind that is not built on Azure yet.

    Azure Managed Lustre is known to the language, but not built yet. Nothing is accepted that would then be
    left out.

    Use a kind of volume that is built, or mount the file system in a script of your own.
    """
    if volume.kind not in azure_volumes.BUILT:
        yield Finding(
            f"volumes of kind {volume.kind} are not built for kind vmss yet",
            context.at(volume, "kind"),
            help=f"built are {', '.join(azure_volumes.BUILT)}",
        )
