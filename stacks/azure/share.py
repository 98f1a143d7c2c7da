"""A share in a storage account, both created for a cluster."""

from cdktf import TerraformResource
from cdktf_cdktf_provider_azurerm.storage_account import (
    StorageAccount,
    StorageAccountCustomerManagedKey,
    StorageAccountIdentity,
    StorageAccountNetworkRules,
)
from cdktf_cdktf_provider_azurerm.storage_container import StorageContainer
from cdktf_cdktf_provider_azurerm.storage_share import StorageShare
from constructs import Construct

from clusterprint.plan.azure import AccountPlan, VolumeKeyPlan
from stacks.addresses import addressed
from stacks.azure.place import Place
from stacks.protection import prevent_destroy


class Share(Construct):
    """A storage account that lets in one subnet, with one share or container in it."""

    def __init__(self, scope: Construct, id: str, *, place: Place, subnet_id: str, plan: AccountPlan) -> None:
        super().__init__(scope, id)
        guard = prevent_destroy(protected=plan.protected)
        blob, nfs = plan.kind == "blob_nfs", plan.kind != "files_smb"
        account = addressed(
            StorageAccount(
                self,
                "account",
                name=plan.account,
                account_kind="StorageV2" if blob else "FileStorage",
                account_tier="Standard" if blob else "Premium",
                account_replication_type="LRS",
                # NFS is not encrypted on its way; the account lets in nothing but the subnet.
                https_traffic_only_enabled=not nfs,
                is_hns_enabled=True if blob else None,
                nfsv3_enabled=True if blob else None,
                allow_nested_items_to_be_public=False,
                # Machines mount a share over SMB with a key of the account; by NFS nobody needs one.
                shared_access_key_enabled=not nfs,
                network_rules=StorageAccountNetworkRules(
                    default_action="Deny", virtual_network_subnet_ids=[subnet_id]
                ),
                customer_managed_key=_key(plan.key_of_own) if plan.key_of_own else None,
                identity=_identity(plan.key_of_own) if plan.key_of_own else None,
                lifecycle=guard,
                **place.common,
            )
        )
        self.account_id = account.id
        self.resource: TerraformResource = (
            StorageContainer(
                self, "container", name=plan.share, storage_account_id=self.account_id, lifecycle=guard
            )
            if blob
            else StorageShare(
                self,
                "share",
                name=plan.share,
                storage_account_id=self.account_id,
                quota=plan.size_gb,
                enabled_protocol="NFS" if nfs else "SMB",
                lifecycle=guard,
            )
        )
        addressed(self.resource)


def _key(plan: VolumeKeyPlan) -> StorageAccountCustomerManagedKey:
    return StorageAccountCustomerManagedKey(
        key_vault_key_id=plan.url, user_assigned_identity_id=plan.identity
    )


def _identity(plan: VolumeKeyPlan) -> StorageAccountIdentity:
    return StorageAccountIdentity(type="UserAssigned", identity_ids=[plan.identity])
