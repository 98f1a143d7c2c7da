from collections.abc import Iterator

from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("AZ090", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def volume_not_built(volume: AzureVolume, context: Context) -> Iterator[Finding]:
    """Volumes are not built on Azure yet.

    Nothing is accepted that would then be left out.

    Use `storage.shares` for file shares and blob containers.
    """
    yield Finding(
        f"volumes of kind {volume.kind} are not built for kind vmss yet",
        context.at(volume, "kind"),
        help="use storage.shares for file shares and blob containers",
    )
