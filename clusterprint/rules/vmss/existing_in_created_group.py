from msgspec import UnsetType

from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import azure_names, azure_volumes
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule


@rule("AZ043", severity=Severity.ERROR, firm=True)
def existing_in_created_group(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
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
    """The existing resources that are named: type, group, and place."""
    yield from _of_parts(blueprint, context)
    volumes = known(
        blueprint.storage.volumes, lambda each: (each.name, each.kind, each.create, each.resource_group)
    )
    for volume, (name, kind, create, group) in volumes:
        if not create and kind != "managed_lustre":
            place = context.at(volume, "name" if group is UNSET else "resource_group")
            yield f"the storage account of volume {name}", group, place
    existing = blueprint.network.existing
    if existing is not UNSET:
        group = existing.resource_group
        place = context.at(existing, "virtual_network" if group is UNSET else "resource_group")
        yield f"virtual network {existing.virtual_network}", group, place


def _of_parts(blueprint: VmssBlueprint, context: Context) -> Iterator[tuple[str, str, Label]]:
    """The containers that volumes are filled from, and their keys."""
    for _, (blob, key) in known(blueprint.storage.volumes, lambda volume: (volume.blob, volume.encryption)):
        if blob is not UNSET:
            yield f"storage account {blob.account}", blob.resource_group, context.at(blob, "resource_group")
        if key is not UNSET:
            vault = azure_volumes.vault_of(key)
            yield f"key vault {vault}", key.resource_group, context.at(key, "resource_group")
