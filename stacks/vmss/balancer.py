"""A load balancer that forwards one port to the SSH server of each node."""

from cdktf_cdktf_provider_azurerm.lb import Lb, LbFrontendIpConfiguration
from cdktf_cdktf_provider_azurerm.lb_backend_address_pool import LbBackendAddressPool
from cdktf_cdktf_provider_azurerm.lb_nat_rule import LbNatRule
from constructs import Construct

from clusterprint.plan.vmss import InboundNatPlan
from stacks.addresses import addressed
from stacks.azure.place import Place
from stacks.azure.public_address import public_address

_FRONTEND = "public"


class Balancer(Construct):
    """The load balancer; nodes join `pool_id` once `rule` is there, and `address` is where people knock."""

    def __init__(self, scope: Construct, id: str, *, place: Place, plan: InboundNatPlan) -> None:
        super().__init__(scope, id)
        address = public_address(self, plan.address, place)
        balancer = addressed(
            Lb(
                self,
                "Default",
                name=plan.name,
                sku="Standard",
                frontend_ip_configuration=[
                    LbFrontendIpConfiguration(name=_FRONTEND, public_ip_address_id=address.id)
                ],
                **place.common,
            )
        )
        pool = addressed(LbBackendAddressPool(self, "pool", name="nodes", loadbalancer_id=balancer.id))
        self.rule = addressed(
            LbNatRule(
                self,
                "ssh",
                name="ssh",
                resource_group_name=place.group,
                loadbalancer_id=balancer.id,
                backend_address_pool_id=pool.id,
                protocol="Tcp",
                frontend_port_start=plan.first_port,
                frontend_port_end=plan.last_port,
                backend_port=22,
                frontend_ip_configuration_name=_FRONTEND,
            )
        )
        self.pool_id = pool.id
        self.address = address.ip_address
