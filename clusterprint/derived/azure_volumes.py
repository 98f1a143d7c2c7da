"""Settings of `storage.volumes` on Azure."""

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.azure_lustre import VolumeEncryption
from clusterprint.blueprint.azure_volumes import AzureStorage, AzureVolume
from clusterprint.plan.vmss_nodes import ShareKind

#: The tier and the replication of the storage accounts that are created for shares.
ACCOUNT_OF_SHARES = ("Premium", "LRS")

#: The size of a created share by default, in GiB.
DEFAULT_SHARE_GIB = 1024

#: The performance tier of a created managed_lustre by default.
DEFAULT_LUSTRE_THROUGHPUT = 250


def shares(storage: AzureStorage) -> tuple[AzureVolume, ...]:
    """The file shares and the blob containers of a cluster, created or not."""
    return tuple(each for each in storage.volumes if each.kind != "managed_lustre")


def share_kind(volume: AzureVolume) -> ShareKind:
    """The mount type of a share or a container."""
    if volume.kind == "blob_nfs":
        return "blob_nfs"
    return "files_smb" if volume.protocol == "smb" else "files_nfs"


def lustres(storage: AzureStorage) -> tuple[AzureVolume, ...]:
    """The Lustre file systems of a cluster, created or not."""
    return tuple(each for each in storage.volumes if each.kind == "managed_lustre")


def created_lustre(storage: AzureStorage) -> AzureVolume | None:
    """The Lustre file system that a cluster creates; a rule sees that there is only one."""
    return next((each for each in lustres(storage) if each.create), None)


def lustre_throughput(volume: AzureVolume) -> int:
    """The performance tier of a created managed_lustre, in MB/s for each TiB."""
    given = volume.throughput_mbps_per_tib
    return DEFAULT_LUSTRE_THROUGHPUT if given is UNSET else given


def lustre_tier(volume: AzureVolume) -> catalog.AzureLustreTier | None:
    """The performance tier of a created managed_lustre; None for an unknown one."""
    return catalog.azure_lustre_tier(lustre_throughput(volume))


def lustre_gib(volume: AzureVolume) -> int:
    """The size of a created managed_lustre: what is said, or the smallest of its tier."""
    if volume.size_gb is not UNSET:
        return volume.size_gb
    tier = lustre_tier(volume)
    return tier.smallest if tier else 0


def share_gib(volume: AzureVolume) -> int:
    """The size of a created share: what is said, or what shares have by default."""
    return DEFAULT_SHARE_GIB if volume.size_gb is UNSET else volume.size_gb


def files(volume: AzureVolume) -> catalog.AzureFiles | None:
    """The known performance of the shares of a created azure_files; None for other volumes."""
    return catalog.azure_files(*ACCOUNT_OF_SHARES) if volume.kind == "azure_files" and volume.create else None


def vault_of(encryption: VolumeEncryption) -> str:
    """The name of the key vault that a key is in."""
    return encryption.key_url.removeprefix("https://").partition(".")[0]
