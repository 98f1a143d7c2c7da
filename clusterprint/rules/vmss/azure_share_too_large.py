from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.derived import azure_volumes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ114", severity=Severity.ERROR, firm=True)
def azure_share_too_large(volume: AzureVolume, context: Context) -> Iterator[Finding]:
    files = azure_volumes.files(volume)
    if files and volume.size_gb is not UNSET and volume.size_gb > files.max_gib:
        yield Finding(
            f"there is no file share of {volume.size_gb:,} GiB",
            context.at(volume, "size_gb"),
            help=f"write {files.max_gib}, or use several shares",
        )
