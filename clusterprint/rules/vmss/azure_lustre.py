from clusterprint import catalog
from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import azure_names, azure_volumes
from clusterprint.rules._sizes import nearest, sizes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ110", severity=Severity.ERROR, firm=True)
def azure_lustre_not_sold(volume: AzureVolume, context: Context) -> Iterator[Finding]:
    if volume.kind != "managed_lustre" or not volume.create:
        return
    sold, wanted = catalog.azure_lustre_tiers(), azure_volumes.lustre_throughput(volume)
    tier = azure_volumes.lustre_tier(volume)
    if tier is None:
        yield Finding(
            f"there is no Azure Managed Lustre with {wanted} MB/s for each TiB",
            context.at(volume, "throughput_mbps_per_tib"),
            help=f"write {next((each for each in sold if each >= wanted), sold[-1])}; "
            f"there are {', '.join(map(str, sold))}",
        )
    elif volume.size_gb is not UNSET and not tier.band(volume.size_gb):
        yield Finding(
            f"there is no Azure Managed Lustre of {volume.size_gb:,} GiB with {wanted} MB/s for each TiB",
            context.at(volume, "size_gb"),
            help=f"write {nearest(tier, volume.size_gb)}; there are {sizes(tier)}",
        )


@rule("AZ111", severity=Severity.ERROR, firm=True)
def azure_lustre_subnet(volume: AzureVolume, context: Context[VmssBlueprint]) -> Iterator[Finding]:
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


@rule("AZ120", severity=Severity.ERROR, firm=True)
def azure_lustre_blob(volume: AzureVolume, context: Context[VmssBlueprint]) -> Iterator[Finding]:
    blob = volume.blob
    if blob is UNSET or volume.kind != "managed_lustre" or not volume.create:
        return
    if blob.container == blob.logging_container:
        yield Finding(
            f"volume {volume.name} keeps its files and its logs in one container",
            context.at(blob, "logging_container"),
            also=(context.at(blob, "container", text="the files"),),
            help="name another container of that account for the logs",
        )
    if blob.account in _made(context.blueprint):
        yield Finding(
            f"storage account {blob.account} is created by the cluster, so there is nothing in it yet",
            context.at(blob, "account"),
            help="name an account that exists",
        )


def _made(blueprint: VmssBlueprint) -> set[str]:
    """The accounts that the cluster makes."""
    return {
        azure_names.storage_account(blueprint.name, share.name, blueprint.subscription)
        if share.account is UNSET
        else share.account
        for share in azure_volumes.shares(blueprint.storage)
        if share.create
    }
