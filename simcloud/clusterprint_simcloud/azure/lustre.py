"""Lustre file systems of Azure."""

from __future__ import annotations

from clusterprint_simcloud.azure import addresses
from clusterprint_simcloud.azure.identity import IDENTITY
from clusterprint_simcloud.azure.ids import below_group, block, known, look_up, ref, subscription, text_list
from clusterprint_simcloud.azure.network import SUBNET
from clusterprint_simcloud.azure.refusal import invalid, refusal
from clusterprint_simcloud.azure.storage import CONTAINER
from clusterprint_simcloud.cloud.behaviour import Plan, Request, ResourceType

LUSTRE = "azurerm_managed_lustre_file_system"

# Azure: create an Azure Managed Lustre file system: of each SKU the smallest size, which is the step, and the
# largest, in TiB.
_SIZES = {
    "AMLFS-Durable-Premium-40": (48, 768),
    "AMLFS-Durable-Premium-125": (16, 128),
    "AMLFS-Durable-Premium-250": (8, 128),
    "AMLFS-Durable-Premium-500": (4, 128),
}
# Azure: prerequisites, network size: up to so many TiB a subnet of this prefix length at least.
_PREFIXES = ((16, 27), (40, 26), (92, 25), (196, 24), (400, 23), (768, 22))


def _check_size(request: Request) -> None:
    sku, size = request.text("sku_name"), int(request.state.get("storage_capacity_in_tb") or 0)
    step, most = _SIZES[sku]
    if size % step or not step <= size <= most:
        text = f"`storage_capacity_in_tb` of {sku} is a multiple of {step}, at most {most}, and not {size}"
        raise invalid(request, text)


def _check_zone(request: Request) -> None:
    zones = text_list(request.state, "zones")
    if len(zones) != 1:
        raise refusal(request, "InvalidParameter", f"A file system is in one zone, not in {len(zones)}.")


def _check_subnet(request: Request) -> None:
    subnet = look_up(request.contents, request.text("subnet_id"), SUBNET)
    if subnet is None:
        return
    size = int(request.state.get("storage_capacity_in_tb") or 0)
    longest = next((prefix for most, prefix in _PREFIXES if size <= most), _PREFIXES[-1][1])
    if addresses.range_of(subnet).prefixlen > longest:
        text = f"Subnet {subnet.id} has too few addresses for {size} TiB, which take a /{longest}."
        raise refusal(request, "SubnetNotEnoughAddresses", text)


def _check_containers(request: Request) -> None:
    """Azure: Azure Managed Lustre prerequisites: files and logs are in two containers of one account."""
    given = block(request.state, "hsm_setting")
    if not given:
        return
    files, logs = str(given.get("container_id")), str(given.get("logging_container_id"))
    if not str(given.get("import_prefix") or "/").startswith("/"):
        raise invalid(request, "`import_prefix` must start with `/`")
    if files.lower() == logs.lower() or files.rpartition("/")[0].lower() != logs.rpartition("/")[0].lower():
        text = f"{logs} is not another container of the account of {files}."
        raise refusal(request, "InvalidParameter", text)


def _check_key(request: Request) -> None:
    """Azure: customer-managed encryption keys: with an identity, in a vault of the subscription."""
    given = block(request.state, "encryption_key")
    if given and not text_list(block(request.state, "identity"), "identity_ids"):
        raise refusal(request, "InvalidParameter", "A key needs an identity that may use it.")
    if given:
        vault = str(given.get("source_vault_id"))
        host = f"https://{vault.rpartition('/')[2]}.vault.azure.net/keys/"
        if not str(given.get("key_url")).lower().startswith(host.lower()):
            raise refusal(request, "InvalidParameter", f"{given.get('key_url')} is no key of {vault}.")
        if not vault.lower().startswith(f"/subscriptions/{subscription(request).lower()}/"):
            raise refusal(request, "InvalidParameter", f"{vault} is in another subscription.")
    if given and request.prior is not None and not block(request.prior, "encryption_key"):
        text = "Keys of Microsoft's cannot be exchanged for a key of one's own."
        raise refusal(request, "PropertyChangeNotAllowed", text)


def _plan_key(plan: Plan) -> None:
    """The provider makes a file system anew when its key is taken away."""
    if (
        plan.prior is not None
        and block(plan.prior, "encryption_key")
        and not block(plan.state, "encryption_key")
    ):
        plan.replace.append(("encryption_key",))


RESOURCES = (
    ResourceType(
        LUSTRE,
        "Managed Lustre File System",
        below_group("Microsoft.StorageCache/amlFilesystems"),
        known(LUSTRE),
        computed={"mgs_address": "10.0.128.4"},
        references=[
            ref("subnet_id", SUBNET),
            ref("identity.identity_ids", IDENTITY, holds=False),
            ref("hsm_setting.container_id", CONTAINER, holds=False),
            ref("hsm_setting.logging_container_id", CONTAINER, holds=False),
        ],
        planned=[_plan_key],
        checks=[_check_size, _check_zone, _check_subnet, _check_containers, _check_key],
    ),
)
