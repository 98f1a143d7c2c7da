from clusterprint.blueprint.azure_volumes import AzureStorage, AzureVolume
from clusterprint.derived import azure_volumes
from clusterprint.rules import _may_lose, _mounts
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ092", severity=Severity.ERROR, firm=True)
def loss_of_azure_volume_said_once(storage: AzureStorage, context: Context) -> Iterator[Finding]:
    yield from _may_lose.said_once(storage, storage.volumes, context)


@rule("AZ061", severity=Severity.ERROR)
def share_mounts_overlap(storage: AzureStorage, context: Context) -> Iterator[Finding]:
    yield from _mounts.overlapping(storage.volumes, context)


@rule("AZ114", severity=Severity.ERROR, firm=True)
def azure_share_too_large(volume: AzureVolume, context: Context) -> Iterator[Finding]:
    files = azure_volumes.files(volume)
    if files and volume.size_gb is not UNSET and volume.size_gb > files.max_gib:
        yield Finding(
            f"there is no file share of {volume.size_gb:,} GiB",
            context.at(volume, "size_gb"),
            help=f"write {files.max_gib}, or use several shares",
        )
