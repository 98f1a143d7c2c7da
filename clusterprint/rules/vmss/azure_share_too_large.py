from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.derived import azure_volumes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ114", severity=Severity.ERROR, source="Azure: scalability targets of Azure Files", firm=True)
def azure_share_too_large(volume: AzureVolume, context: Context) -> Iterator[Finding]:
    """A file share is larger than Azure Files makes them.

    A share on SSD holds up to 100 TiB, whatever protocol it has. The API refuses more, after the network and
    the account are made.

    Use a smaller share, several of them, or managed_lustre.
    """
    files = azure_volumes.files(volume)
    if files and volume.size_gb is not UNSET and volume.size_gb > files.max_gib:
        yield Finding(
            f"there is no file share of {volume.size_gb:,} GiB",
            context.at(volume, "size_gb"),
            help=f"write {files.max_gib}, or use several shares",
        )
