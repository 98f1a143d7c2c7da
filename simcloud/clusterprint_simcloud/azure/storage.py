"""Storage accounts, file shares and containers."""

from __future__ import annotations

from clusterprint_simcloud.azure.ids import below, below_group, block, known, look_up, named, ref, text_list
from clusterprint_simcloud.azure.network import SUBNET, endpoints_of
from clusterprint_simcloud.azure.refusal import invalid, refusal
from clusterprint_simcloud.cloud.behaviour import Request, ResourceType

ACCOUNT = "azurerm_storage_account"
SHARE = "azurerm_storage_share"
CONTAINER = "azurerm_storage_container"
# Azure Files: the smallest provisioned share of a premium account, in GiB.
_SMALLEST_PREMIUM = 100


def _check_account(request: Request) -> None:
    state, name = request.state, request.text("name")
    for other in request.contents.of(ACCOUNT):
        if other.state.get("name") == name and other.id != request.identity:
            text = f"The storage account named {name} is already taken."
            raise refusal(request, "StorageAccountAlreadyTaken", text, "409 (409 Conflict)")
    if request.text("account_kind") == "FileStorage" and request.text("account_tier") != "Premium":
        raise invalid(request, "a `account_tier` of `Premium` must be set for `FileStorage`")
    rules = block(state, "network_rules")
    if state.get("nfsv3_enabled") and not (
        state.get("is_hns_enabled") and rules.get("default_action") == "Deny"
    ):
        raise invalid(
            request, "`nfsv3_enabled` needs `is_hns_enabled` and network rules that deny by default"
        )
    for value in text_list(rules, "virtual_network_subnet_ids"):
        subnet = look_up(request.contents, value, SUBNET)
        if subnet is not None and "Microsoft.Storage" not in endpoints_of(subnet):
            text = f"Subnet {subnet.id} has no service endpoint for Microsoft.Storage."
            raise refusal(request, "SubnetsHaveNoServiceEndpointsConfigured", text)


def _check_share(request: Request) -> None:
    account = look_up(request.contents, request.text("storage_account_id"), ACCOUNT)
    assert account is not None  # noqa: S101  (references have been resolved)
    premium = account.state.get("account_kind") == "FileStorage"
    if request.text("enabled_protocol") == "NFS":
        if not premium:
            raise refusal(request, "FeatureNotSupportedForAccount", "NFS shares need a FileStorage account.")
        if account.state.get("https_traffic_only_enabled"):
            text = "NFS shares need an account that takes other than secure transfer."
            raise refusal(request, "SecureTransferRequired", text)
    if premium and int(request.state.get("quota") or 0) < _SMALLEST_PREMIUM:
        raise refusal(request, "InvalidHeaderValue", f"A premium share has {_SMALLEST_PREMIUM} GiB or more.")


RESOURCES = (
    ResourceType(
        ACCOUNT,
        "Storage Account",
        below_group("Microsoft.Storage/storageAccounts"),
        known(ACCOUNT),
        computed={
            "access_tier": "Hot",
            "primary_blob_endpoint": "https://{name}.blob.core.windows.net/",
            "primary_file_endpoint": "https://{name}.file.core.windows.net/",
            "network_rules.bypass": ["AzureServices"],
            "large_file_share_enabled": False,
        },
        references=[ref("network_rules.virtual_network_subnet_ids", SUBNET)],
        checks=[_check_account],
    ),
    ResourceType(
        SHARE,
        "Share",
        below("storage_account_id", "fileServices/default/shares"),
        named(SHARE, "[a-z0-9](?:-?[a-z0-9]){2,62}"),
        computed={"access_tier": "", "url": "", "resource_manager_id": "{id}"},
        references=[ref("storage_account_id", ACCOUNT)],
        checks=[_check_share],
    ),
    ResourceType(
        CONTAINER,
        "Container",
        below("storage_account_id", "blobServices/default/containers"),
        named(CONTAINER, "[a-z0-9](?:-?[a-z0-9]){2,62}"),
        references=[ref("storage_account_id", ACCOUNT)],
    ),
)
