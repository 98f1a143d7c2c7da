"""A small Azure for the machines of the tests: nodes, and what the identities may do."""

from typing import Any

from nodes.settings import GROUP, HEAD, HEAD_IDENTITY, NODE_IDENTITY, SET

#: What the roles in docs/nodes-vmss.md allow.
ALLOWED = {
    HEAD_IDENTITY: [f"GET {GROUP}/", f"PATCH {HEAD}/providers/Microsoft.Resources/tags/"],
    NODE_IDENTITY: [f"GET {HEAD}"],
}
STOPPING = [f"POST {GROUP}/providers/Microsoft.Compute/"]


def uniform_vm(number: int, power: str = "running", vm: str = "") -> dict[str, Any]:
    """A machine of a uniform scale set."""
    return {
        "id": f"{SET}/virtualMachines/{number}",
        "name": f"vmss_{number}",
        "properties": {
            "vmId": vm or f"id-{number}",
            "osProfile": {"computerName": f"vm-{number:06}"},
            "instanceView": {
                "statuses": [{"code": "ProvisioningState/succeeded"}, {"code": f"PowerState/{power}"}]
            },
        },
    }


def flexible_vm(name: str, scale_set: str = SET, power: str = "running") -> dict[str, Any]:
    """A machine of a flexible scale set."""
    return {
        "id": f"{GROUP}/providers/Microsoft.Compute/virtualMachines/{name}",
        "name": name,
        "properties": {
            "vmId": f"id-{name}",
            "osProfile": {"computerName": name},
            "virtualMachineScaleSet": {"id": scale_set},
            "instanceView": {"statuses": [{"code": f"PowerState/{power}"}]},
        },
    }


def interface(vm: dict[str, Any], address: str) -> dict[str, Any]:
    """The primary network interface of a machine. Azure spells ids as it likes."""
    return {
        "properties": {
            "primary": True,
            "virtualMachine": {
                "id": vm["id"].replace("resourceGroups", "resourcegroups").replace("rg", "RG")
            },
            "ipConfigurations": [{"properties": {"primary": True, "privateIPAddress": address}}],
        }
    }


def uniform(*vms: dict[str, Any]) -> dict[str, Any]:
    """The answers about a uniform set, each list in two pages."""
    interfaces = [interface(vm, f"10.0.0.{10 + index}") for index, vm in enumerate(vms)]
    return {
        "allowed": ALLOWED,
        "get": {
            f"{SET}/virtualMachines": [list(vms[:1]), list(vms[1:])],
            f"{SET}/networkInterfaces": [interfaces[:1], interfaces[1:]],
        },
    }


def flexible(*vms: dict[str, Any]) -> dict[str, Any]:
    """The answers about a resource group with flexible sets."""
    interfaces = [interface(vm, f"10.0.0.{10 + index}") for index, vm in enumerate(vms)]
    unattached: dict[str, Any] = {"properties": {"primary": None, "ipConfigurations": []}}
    return {
        "allowed": ALLOWED,
        "get": {
            f"{GROUP}/providers/Microsoft.Compute/virtualMachines": [list(vms)],
            f"{GROUP}/providers/Microsoft.Network/networkInterfaces": [[unattached, *interfaces]],
        },
    }
