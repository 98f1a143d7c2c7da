"""NAT for machines without a public address."""

from cdktf import TerraformResource
from cdktf_cdktf_provider_azurerm.nat_gateway import NatGateway as AzureNatGateway
from cdktf_cdktf_provider_azurerm.nat_gateway_public_ip_association import NatGatewayPublicIpAssociation
from cdktf_cdktf_provider_azurerm.subnet_nat_gateway_association import SubnetNatGatewayAssociation
from constructs import Construct

from clusterprint.plan.azure import NatGatewayPlan
from stacks.addresses import addressed
from stacks.azure.place import Place
from stacks.azure.public_address import public_address


class NatGateway(Construct):
    """A NAT gateway with one address, for a subnet. It carries traffic as soon as `ready` is there."""

    def __init__(
        self, scope: Construct, id: str, *, place: Place, subnet_id: str, plan: NatGatewayPlan
    ) -> None:
        super().__init__(scope, id)
        gateway = addressed(
            AzureNatGateway(self, "Default", name=plan.name, sku_name="Standard", **place.common)
        )
        address = public_address(self, plan.address, place)
        self.ready: list[TerraformResource] = [
            addressed(
                NatGatewayPublicIpAssociation(
                    self, "with_address", nat_gateway_id=gateway.id, public_ip_address_id=address.id
                )
            ),
            addressed(
                SubnetNatGatewayAssociation(
                    self, "with_subnet", nat_gateway_id=gateway.id, subnet_id=subnet_id
                )
            ),
        ]
