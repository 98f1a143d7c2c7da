"""Azure Bastion: access for people without a public address on any machine."""

from cdktf_cdktf_provider_azurerm.bastion_host import BastionHost, BastionHostIpConfiguration
from cdktf_cdktf_provider_azurerm.subnet import Subnet
from cdktf_cdktf_provider_azurerm.virtual_network import VirtualNetwork
from constructs import Construct

from clusterprint.plan.azure import BastionPlan
from stacks.addresses import addressed
from stacks.azure.place import Place
from stacks.azure.public_address import public_address


class Bastion(Construct):
    """A Bastion host in its subnet; `az network bastion ssh` needs the standard SKU."""

    def __init__(
        self, scope: Construct, id: str, *, place: Place, network: VirtualNetwork, plan: BastionPlan
    ) -> None:
        super().__init__(scope, id)
        subnet = addressed(
            Subnet(
                self,
                "subnet",
                name=plan.subnet,
                resource_group_name=place.group,
                virtual_network_name=network.name,
                address_prefixes=[plan.cidr],
            )
        )
        addressed(
            BastionHost(
                self,
                "Default",
                name=plan.name,
                sku="Standard",
                tunneling_enabled=True,
                ip_configuration=BastionHostIpConfiguration(
                    name="public",
                    subnet_id=subnet.id,
                    public_ip_address_id=public_address(self, plan.address, place).id,
                ),
                **place.common,
            )
        )
