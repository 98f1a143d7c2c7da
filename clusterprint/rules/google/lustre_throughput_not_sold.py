from clusterprint import catalog
from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP104", severity=Severity.ERROR, source="Google Cloud: Managed Lustre performance tiers", firm=True)
def lustre_throughput_not_sold(volume: GoogleVolume | FileClass, context: Context) -> Iterator[Finding]:
    """Managed Lustre is not sold with this throughput.

    There are 125, 250, 500 and 1000 MB/s for each TiB; the smaller ones begin with larger sizes. The dynamic
    tier is not built yet.

    Use one of these. It cannot be changed later: that would be another, empty file system.
    """
    if volume.kind != "lustre" or (isinstance(volume, GoogleVolume) and not volume.create):
        return
    sold = catalog.lustre_tiers()
    wanted = volumes.lustre_throughput(volume)
    if wanted not in sold:
        enough = next((each for each in sold if each >= wanted), sold[-1])
        yield Finding(
            f"there is no Managed Lustre with {wanted} MB/s for each TiB",
            context.at(volume, "throughput_mbps_per_tib"),
            help=f"write {enough}; there are {', '.join(map(str, sold))}",
        )
