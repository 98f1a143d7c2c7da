"""The Lustre file system of a cluster on Azure."""

from ipaddress import IPv4Network

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import azure_names, azure_ranges, azure_volumes
from clusterprint.errors import InternalError
from clusterprint.plan.azure import LustreBlobPlan, LustrePlan
from clusterprint.resolve import azure, azure_network

# Azure asks for half an hour in a week; this is night in most places, of the day on which fewest people wait.
_MAINTENANCE = ("Sunday", "02:00")


def resolve_lustre(blueprint: VmssBlueprint) -> LustrePlan | None:
    """The file system that the cluster creates, if it does."""
    volume = azure_volumes.created_lustre(blueprint.storage)
    if volume is None:
        return None
    tier = azure_volumes.lustre_tier(volume)
    if tier is None:
        raise InternalError(f"volume {volume.name} passed validation with a tier that is not known")
    size_gib = azure_volumes.lustre_gib(volume)
    created = blueprint.network.existing is UNSET
    prefix = catalog.azure_lustre_subnet_prefix(size_gib)
    day, time = _MAINTENANCE
    return LustrePlan(
        key=volume.name,
        name=azure_names.lustre(blueprint.name),
        sku=tier.api,
        size_tib=size_gib // 1024,
        zone=_zone(blueprint, volume),
        subnet=azure_names.lustre_subnet(blueprint.name) if created else "",
        subnet_cidr=(
            str(azure_ranges.lustre(IPv4Network(blueprint.network.cidr), prefix)) if created else ""
        ),
        existing_subnet=(
            "" if volume.subnet is UNSET else azure_network.existing_subnet(blueprint, volume.subnet)
        ),
        maintenance_day=day,
        maintenance_time=time,
        blob=_blob(blueprint, volume),
        key_of_own=azure.key_of(blueprint, volume),
        protected=volume.deletion_protection,
    )


def _blob(blueprint: VmssBlueprint, volume: AzureVolume) -> LustreBlobPlan | None:
    if volume.blob is UNSET:
        return None
    blob = volume.blob
    account = azure.id_of(blueprint, "Microsoft.Storage/storageAccounts", blob.account, blob.resource_group)
    containers = f"{account}/blobServices/default/containers"
    return LustreBlobPlan(
        container=f"{containers}/{blob.container}",
        logging_container=f"{containers}/{blob.logging_container}",
        # Always said: Azure answers with its own default, and a difference would be another file system.
        prefix=blob.prefix,
    )


def _zone(blueprint: VmssBlueprint, volume: AzureVolume) -> str:
    if volume.zone is not UNSET:
        return volume.zone
    return "1" if blueprint.nodes.zone is UNSET else str(blueprint.nodes.zone)
