"""NAT for nodes without a public address."""

from cdktf_cdktf_provider_google.compute_router import ComputeRouter
from cdktf_cdktf_provider_google.compute_router_nat import (
    ComputeRouterNat,
    ComputeRouterNatLogConfig,
)
from constructs import Construct

from clusterprint.plan.google import NatPlan
from stacks.addresses import addressed
from stacks.google.network import Network


class Nat(Construct):
    """Cloud NAT for all subnets of a network."""

    def __init__(self, scope: Construct, id: str, *, network: Network, plan: NatPlan) -> None:
        super().__init__(scope, id)
        router = addressed(ComputeRouter(self, "router", name=plan.router, network=network.resource.id))
        fewest, most = plan.dynamic_ports
        self.resource = ComputeRouterNat(
            self,
            "Default",
            name=plan.name,
            router=router.name,
            nat_ip_allocate_option="AUTO_ONLY",
            source_subnetwork_ip_ranges_to_nat="ALL_SUBNETWORKS_ALL_IP_RANGES",
            # Ports can be handed out as needed only if the same one may serve several places.
            enable_dynamic_port_allocation=True,
            enable_endpoint_independent_mapping=False,
            min_ports_per_vm=fewest,
            max_ports_per_vm=most,
            log_config=ComputeRouterNatLogConfig(enable=True, filter="ERRORS_ONLY"),
        )
