from clusterprint import catalog
from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.derived import azure_volumes
from clusterprint.rules._sizes import nearest, sizes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule(
    "AZ110",
    severity=Severity.ERROR,
    source="Azure: create an Azure Managed Lustre file system, file system type and size options",
    firm=True,
)
def azure_lustre_not_sold(volume: AzureVolume, context: Context) -> Iterator[Finding]:
    """Azure Managed Lustre is not sold with this throughput, or not in this size.

    There are 40, 125, 250 and 500 MB/s for each TiB. The smallest sizes are 48, 16, 8 and 4 TiB, and larger
    ones are multiples of those; larger than 128 TiB (768 TiB at 40 MB/s) only after a request to Microsoft.
    The API refuses others, after the network is made.

    Use one of these. Neither can be changed later: that would be another, empty file system.
    """
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
