from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule(
    "AZ113", severity=Severity.WARNING, source="Azure: connect clients to an Azure Managed Lustre file system"
)
def azure_lustre_in_other_zone(volume: AzureVolume, context: Context[VmssBlueprint]) -> Iterator[Finding]:
    """A Lustre file system is created in another zone than the nodes.

    It has its full speed only for machines in its own zone; access from another one is slower.

    Leave the zone out: it is that of the nodes then.
    """
    nodes = context.blueprint.nodes
    if volume.kind != "managed_lustre" or not volume.create or volume.zone is UNSET or nodes.zone is UNSET:
        return
    if volume.zone != str(nodes.zone):
        yield Finding(
            f"volume {volume.name} is in zone {volume.zone}, the nodes are in zone {nodes.zone}",
            context.at(volume, "zone"),
            also=(context.at(nodes, "zone", text="the nodes"),),
            help="remove zone",
        )
