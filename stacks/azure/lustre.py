"""A Lustre file system that is made for a cluster."""

from cdktf_cdktf_provider_azurerm.managed_lustre_file_system import (
    ManagedLustreFileSystem,
    ManagedLustreFileSystemEncryptionKey,
    ManagedLustreFileSystemHsmSetting,
    ManagedLustreFileSystemIdentity,
    ManagedLustreFileSystemMaintenanceWindow,
)
from cdktf_cdktf_provider_azurerm.subnet import Subnet
from constructs import Construct

from clusterprint.plan.azure import LustreBlobPlan, LustrePlan, VolumeKeyPlan
from stacks.addresses import addressed
from stacks.azure.place import Place
from stacks.protection import prevent_destroy


class Lustre(Construct):
    """A file system and its subnet; `network` is the virtual network that the subnet is made in."""

    def __init__(self, scope: Construct, id: str, *, place: Place, network: str, plan: LustrePlan) -> None:
        super().__init__(scope, id)
        self.resource = addressed(
            ManagedLustreFileSystem(
                self,
                "Default",
                name=plan.name,
                sku_name=plan.sku,
                storage_capacity_in_tb=plan.size_tib,
                zones=[plan.zone],
                subnet_id=plan.existing_subnet or self._subnet(place, network, plan),
                maintenance_window=ManagedLustreFileSystemMaintenanceWindow(
                    day_of_week=plan.maintenance_day, time_of_day_in_utc=plan.maintenance_time
                ),
                hsm_setting=_blob(plan.blob) if plan.blob else None,
                encryption_key=_key(plan.key_of_own) if plan.key_of_own else None,
                identity=_identity(plan.key_of_own) if plan.key_of_own else None,
                lifecycle=prevent_destroy(protected=plan.protected),
                **place.common,
            )
        )

    def _subnet(self, place: Place, network: str, plan: LustrePlan) -> str:
        # Its servers report to services of Azure's, and no gateway is theirs: so it has Azure's own way out.
        subnet = addressed(
            Subnet(
                self,
                "subnet",
                name=plan.subnet,
                resource_group_name=place.group,
                virtual_network_name=network,
                address_prefixes=[plan.subnet_cidr],
            )
        )
        return str(subnet.id)


def _blob(plan: LustreBlobPlan) -> ManagedLustreFileSystemHsmSetting:
    return ManagedLustreFileSystemHsmSetting(
        container_id=plan.container, logging_container_id=plan.logging_container, import_prefix=plan.prefix
    )


def _key(plan: VolumeKeyPlan) -> ManagedLustreFileSystemEncryptionKey:
    return ManagedLustreFileSystemEncryptionKey(key_url=plan.url, source_vault_id=plan.vault)


def _identity(plan: VolumeKeyPlan) -> ManagedLustreFileSystemIdentity:
    return ManagedLustreFileSystemIdentity(type="UserAssigned", identity_ids=[plan.identity])
