"""Decisions that kinds on Azure share."""

from pathlib import Path

from msgspec import UNSET

from clusterprint.blueprint.azure import Admin, AzureBlueprint
from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.derived import azure_names, azure_volumes
from clusterprint.derived.texts import text_of
from clusterprint.plan.azure import AccountPlan, AdminPlan, ImagePlan, ResourceGroupPlan, VolumeKeyPlan


def group_of(blueprint: AzureBlueprint) -> str:
    """The name of the cluster's resource group."""
    group = blueprint.resource_group
    return azure_names.resource_group(blueprint.name) if group is UNSET else group


def id_of(blueprint: AzureBlueprint, kind: str, name: str, group: str = "") -> str:
    """The id of a resource of the cluster, or of one in another resource group."""
    return azure_names.resource_id(blueprint.subscription, group or group_of(blueprint), kind, name)


def resolve_resource_group(blueprint: AzureBlueprint) -> ResourceGroupPlan:
    """Created, or only named."""
    return ResourceGroupPlan(name=group_of(blueprint), create=blueprint.create_resource_group)


# What the resources of the cluster are of. The provider would register dozens by itself, also for billing.
_SERVICES = ("Microsoft.Compute", "Microsoft.ManagedIdentity", "Microsoft.Network", "Microsoft.Storage")


def resolve_registered(blueprint: AzureBlueprint, *more: str) -> tuple[str, ...]:
    """Azure services to register: those in use, if the deploying account may register them.

    Who may make a resource group may register services, if only by the usual role, Contributor on the
    subscription; who has rights on one group may not.
    """
    said = blueprint.register_providers
    wanted = blueprint.create_resource_group if said is UNSET else said
    return (*_SERVICES, *more) if wanted else ()


def resolve_admin(admin: Admin, folder: Path) -> AdminPlan:
    """A key file often ends with a line break, which is no part of the key."""
    return AdminPlan(username=admin.username, public_key=text_of(admin.ssh_public_key, folder).strip())


def resolve_image(urn: str, *, has_plan: bool = False) -> ImagePlan:
    """An image of the marketplace, from publisher:offer:sku:version."""
    publisher, offer, sku, version = urn.split(":")
    return ImagePlan(publisher=publisher, offer=offer, sku=sku, version=version, has_plan=has_plan, id="")


def own_image(image_id: str) -> ImagePlan:
    """An image by its id."""
    return ImagePlan(publisher="", offer="", sku="", version="", has_plan=False, id=image_id)


def resolve_account(blueprint: AzureBlueprint, share: AzureVolume) -> AccountPlan:
    """A share, and the storage account that it is in."""
    account = (
        azure_names.storage_account(blueprint.name, share.name, blueprint.subscription)
        if share.account is UNSET
        else share.account
    )
    group = share.resource_group if share.resource_group is not UNSET and not share.create else ""
    return AccountPlan(
        key=share.name,
        kind=azure_volumes.share_kind(share),
        create=share.create,
        id=id_of(blueprint, "Microsoft.Storage/storageAccounts", account, group),
        account=account,
        share=share.name,
        size_gb=azure_volumes.share_gib(share),
        protected=share.deletion_protection,
        key_of_own=key_of(blueprint, share),
    )


def key_of(blueprint: AzureBlueprint, volume: AzureVolume) -> VolumeKeyPlan | None:
    """The key that a created volume is encrypted with; None for Microsoft's."""
    given = volume.encryption
    if given is UNSET:
        return None
    group, vault = given.resource_group, azure_volumes.vault_of(given)
    return VolumeKeyPlan(
        url=given.key_url,
        vault=id_of(blueprint, "Microsoft.KeyVault/vaults", vault, group),
        identity=id_of(blueprint, "Microsoft.ManagedIdentity/userAssignedIdentities", given.identity, group),
    )
