"""What follows from `storage.volumes` on Azure."""

from msgspec import UNSET

from clusterprint.blueprint.azure_storage import Share
from clusterprint.blueprint.azure_volumes import AzureStorage, AzureVolume

#: What any volume has.
_COMMON = frozenset({"name", "kind", "mount", "access", "create"})

#: What each kind has besides, created or not.
_SETTINGS = {
    ("azure_files", True): frozenset({"deletion_protection", "protocol", "size_gb", "account"}),
    ("azure_files", False): frozenset({"protocol", "account", "resource_group"}),
    ("blob_nfs", True): frozenset({"deletion_protection", "account"}),
    ("blob_nfs", False): frozenset({"account", "resource_group"}),
    ("managed_lustre", True): frozenset(
        {"deletion_protection", "size_gb", "throughput_mbps_per_tib", "zone"}
    ),
    ("managed_lustre", False): frozenset({"address"}),
}

#: The kinds of volumes that are built.
BUILT = ("azure_files", "blob_nfs")


def settings_of(kind: str, *, create: bool) -> frozenset[str]:
    """The keys that a volume of a kind may have."""
    return _COMMON | _SETTINGS[kind, create]


def shares(storage: AzureStorage) -> tuple[Share, ...]:
    """All shares and containers of a cluster: those that are listed as such, and those that are volumes."""
    return (*storage.shares, *(_share(each) for each in storage.volumes if each.kind in BUILT))


def protected(storage: AzureStorage) -> frozenset[str]:
    """The names of created volumes whose data is protected; a rule sees that both places say the same."""
    return frozenset(each.name for each in storage.volumes if each.create and each.deletion_protection)


def _share(volume: AzureVolume) -> Share:
    sized = {} if volume.size_gb is UNSET else {"size_gb": volume.size_gb}
    files = "files_smb" if volume.protocol == "smb" else "files_nfs"
    return Share(
        name=volume.name,
        kind="blob_nfs" if volume.kind == "blob_nfs" else files,  # type: ignore[arg-type]
        mount=volume.mount,
        access=volume.access,
        create=volume.create,
        account=volume.account,
        resource_group=volume.resource_group,
        **sized,
    )
