from msgspec import UnsetType

from clusterprint.blueprint.azure_storage import Share
from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import azure_names, azure_volumes
from clusterprint.diagnostic import Label
from clusterprint.rules import _mounts
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule


@rule("AZ043", severity=Severity.ERROR, source="Azure: resource groups", firm=True)
def existing_in_created_group(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """An existing resource cannot be in the resource group that the cluster creates.

    A new resource group is empty. A network or a storage account whose group is not named is looked for in
    the cluster's own, which does not exist yet.

    Name the resource group that it is in, or write `create_resource_group: false` where the cluster goes into
    the same one.
    """
    if not blueprint.create_resource_group:
        return
    given = blueprint.resource_group
    own = azure_names.resource_group(blueprint.name) if given is UNSET else given
    for what, group, place in _existing(blueprint, context):
        if group is UNSET or group.lower() == own.lower():
            yield Finding(
                f"{what} exists already, so it cannot be in resource group {own}, which the cluster creates",
                place,
                help="add resource_group: with the group that it is in",
            )


def _existing(blueprint: VmssBlueprint, context: Context) -> Iterator[tuple[str, str | UnsetType, Label]]:
    """What is only named: what it is, its group, and where it stands."""
    yield from _of_lustres(blueprint, context)
    every: tuple[Share | AzureVolume, ...] = (*blueprint.storage.shares, *blueprint.storage.volumes)
    shares = known(every, lambda share: (share.name, share.create, share.resource_group))
    for share, (name, create, group) in shares:
        if not create and not (isinstance(share, AzureVolume) and share.kind == "managed_lustre"):
            place = context.at(share, "name" if group is UNSET else "resource_group")
            yield f"the storage account of {_mounts.noun(share)} {name}", group, place
    existing = blueprint.network.existing
    if existing is not UNSET:
        group = existing.resource_group
        place = context.at(existing, "virtual_network" if group is UNSET else "resource_group")
        yield f"virtual network {existing.virtual_network}", group, place


def _of_lustres(blueprint: VmssBlueprint, context: Context) -> Iterator[tuple[str, str, Label]]:
    """What Lustre file systems are filled from and encrypted with."""
    for _, (blob, key) in known(blueprint.storage.volumes, lambda volume: (volume.blob, volume.encryption)):
        if blob is not UNSET:
            yield f"storage account {blob.account}", blob.resource_group, context.at(blob, "resource_group")
        if key is not UNSET:
            vault = azure_volumes.vault_of(key)
            yield f"key vault {vault}", key.resource_group, context.at(key, "resource_group")
