"""Parts of a cluster on Azure, for tests that put them together rightly and wrongly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from conftest import Api

    from clusterprint_simcloud import Record

SUBSCRIPTION = "00000000-0000-0000-0000-000000000000"
HERE = {"resource_group_name": "rg", "location": "eastus"}
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY me"
ADMIN = {"admin_username": "azureuser", "admin_ssh_key": [{"username": "azureuser", "public_key": KEY}]}
IMAGE = [{"publisher": "microsoft-dsvm", "offer": "ubuntu-hpc", "sku": "2204", "version": "latest"}]
DISK = [{"caching": "ReadWrite", "storage_account_type": "Premium_LRS"}]
UNIFORM = "azurerm_linux_virtual_machine_scale_set"
FLEXIBLE = "azurerm_orchestrated_virtual_machine_scale_set"


def network(azure: Api, *spaces: str) -> Record:
    return azure.create(
        "azurerm_virtual_network", name="net", address_space=list(spaces or ["10.0.0.0/16"]), **HERE
    )


def subnet(azure: Api, cidr: str = "10.0.0.0/24", name: str = "nodes", **more: Any) -> Record:
    return azure.create(
        "azurerm_subnet",
        name=name,
        resource_group_name="rg",
        virtual_network_name="net",
        address_prefixes=[cidr],
        **more,
    )


def nodes_subnet(azure: Api, cidr: str = "10.0.0.0/24") -> Record:
    network(azure)
    return subnet(azure, cidr)


def interfaces(net: Record, **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "name": "a",
            "primary": True,
            "ip_configuration": [{"name": "a", "primary": True, "subnet_id": net.id}],
        }
        | more
    ]


def uniform(azure: Api, net: Record, **more: Any) -> Record:
    arguments = {"instances": 2, "single_placement_group": True, "source_image_reference": IMAGE, **more}
    return azure.create(
        UNIFORM,
        name="set",
        sku="Standard_ND96isr_H200_v5",
        os_disk=DISK,
        **({"network_interface": interfaces(net)} | HERE | ADMIN | arguments),
    )


def flexible(azure: Api, net: Record, **more: Any) -> Record:
    profile = [{"linux_configuration": [ADMIN]}]
    arguments = {"platform_fault_domain_count": 1, "instances": 2, **more}
    return azure.create(
        FLEXIBLE,
        name="set",
        sku_name="Standard_NC24ads_A100_v4",
        os_disk=DISK,
        os_profile=profile,
        source_image_reference=IMAGE,
        network_interface=interfaces(net),
        **(HERE | arguments),
    )


def interface(azure: Api, net: Record, name: str = "nic", **more: Any) -> Record:
    configuration = {"name": "a", "subnet_id": net.id, "private_ip_address_allocation": "Dynamic", **more}
    return azure.create("azurerm_network_interface", name=name, ip_configuration=[configuration], **HERE)


def machine(azure: Api, nic: Record, name: str = "head", **more: Any) -> Record:
    return azure.create(
        "azurerm_linux_virtual_machine",
        name=name,
        size="Standard_D4s_v5",
        os_disk=DISK,
        source_image_reference=IMAGE,
        network_interface_ids=[nic.id],
        **(HERE | ADMIN | more),
    )


def address(azure: Api, name: str = "ip", **more: Any) -> Record:
    arguments = {"allocation_method": "Static", "sku": "Standard", **more}
    return azure.create("azurerm_public_ip", name=name, **(HERE | arguments))


def leases(azure: Api, net: Record) -> list[str]:
    return sorted(azure.cloud.read().leases.get(f"addresses of {net.id}", {}))


def balancer(azure: Api) -> tuple[Record, Record]:
    frontend = [{"name": "public", "public_ip_address_id": address(azure).id}]
    made = azure.create("azurerm_lb", name="lb", sku="Standard", frontend_ip_configuration=frontend, **HERE)
    return made, azure.create("azurerm_lb_backend_address_pool", name="nodes", loadbalancer_id=made.id)


def forward(azure: Api, lb: Record, pool: Record, ports: tuple[int, int], **more: Any) -> Record:
    arguments = {"frontend_ip_configuration_name": "public", **more}
    return azure.create(
        "azurerm_lb_nat_rule",
        name=f"ports-{ports[0]}",
        resource_group_name="rg",
        loadbalancer_id=lb.id,
        backend_address_pool_id=pool.id,
        protocol="Tcp",
        frontend_port_start=ports[0],
        frontend_port_end=ports[1],
        backend_port=22,
        **arguments,
    )
