from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ111", severity=Severity.ERROR, source="Azure: Azure Managed Lustre prerequisites", firm=True)
def azure_lustre_subnet(volume: AzureVolume, context: Context[VmssBlueprint]) -> Iterator[Finding]:
    """A Lustre file system is created in an existing network without a subnet for it, or names one elsewhere.

    A file system has a subnet to itself: its servers take dozens of addresses there. In a network of the
    cluster's own that subnet is created. Nothing is created in an existing network, so there it has to be
    named, and must not be that of the machines.

    Name a subnet of the existing network that is empty.
    """
    if volume.kind != "managed_lustre" or not volume.create:
        return
    existing = context.blueprint.network.existing
    if existing is UNSET:
        if volume.subnet is not UNSET:
            yield Finding(
                f"subnet of volume {volume.name} would do nothing: the cluster's own network gets one",
                context.at_key(volume, "subnet"),
                help="remove subnet",
            )
    elif volume.subnet is UNSET:
        yield Finding(
            f"volume {volume.name} needs its own subnet of network {existing.virtual_network}",
            context.at(volume, "kind"),
            help="add subnet: NAME, of one that is empty",
        )
    elif volume.subnet == existing.subnet:
        yield Finding(
            f"volume {volume.name} would be in the subnet of the machines, {volume.subnet}",
            context.at(volume, "subnet"),
            also=(context.at(existing, "subnet", text="the subnet of the machines"),),
            help="name a subnet that is empty",
        )
