"""Lustre file systems of Azure."""

from __future__ import annotations

from clusterprint_simcloud.azure import addresses
from clusterprint_simcloud.azure.ids import below_group, look_up, named, ref, text_list
from clusterprint_simcloud.azure.network import SUBNET
from clusterprint_simcloud.azure.refusal import invalid, refusal
from clusterprint_simcloud.cloud.behaviour import Request, ResourceType

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


RESOURCES = (
    ResourceType(
        LUSTRE,
        "Managed Lustre File System",
        below_group("Microsoft.StorageCache/amlFilesystems"),
        named(LUSTRE, r"[A-Za-z0-9][-_A-Za-z0-9]{0,78}[A-Za-z0-9]"),
        computed={"mgs_address": "10.0.128.4"},
        references=[ref("subnet_id", SUBNET)],
        checks=[_check_size, _check_zone, _check_subnet],
    ),
)
