"""A VPC network with its subnets and firewall rules."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.compute_firewall import (
    ComputeFirewall,
    ComputeFirewallAllow,
)
from cdktf_cdktf_provider_google.compute_network import ComputeNetwork
from cdktf_cdktf_provider_google.compute_subnetwork import (
    ComputeSubnetwork,
    ComputeSubnetworkSecondaryIpRange,
)
from constructs import Construct

from clusterprint.plan.google import NetworkPlan
from stacks.addresses import addressed


class Network(Construct):
    """A VPC network with its subnets and firewall rules.

    `subnets` are its subnets by key. `after` has to be there before the network.
    """

    def __init__(
        self, scope: Construct, id: str, *, after: Sequence[TerraformResource], plan: NetworkPlan
    ) -> None:
        super().__init__(scope, id)
        self.resource = ComputeNetwork(
            self,
            "Default",
            name=plan.name,
            auto_create_subnetworks=False,
            mtu=plan.mtu,
            network_profile=plan.profile or None,
            routing_mode="REGIONAL",
            depends_on=list(after),
        )
        # Each look at it is a question to the engine.
        self._id = self.resource.id
        self.subnets = {
            subnet.key: addressed(
                ComputeSubnetwork(
                    self,
                    subnet.key.removeprefix(f"{plan.key}-") if subnet.key != plan.key else "subnet",
                    name=subnet.name,
                    network=self._id,
                    ip_cidr_range=subnet.cidr,
                    # An RDMA network carries nothing but traffic between GPUs.
                    private_ip_google_access=True if not plan.profile else None,
                    secondary_ip_range=[
                        ComputeSubnetworkSecondaryIpRange(range_name=each.name, ip_cidr_range=each.cidr)
                        for each in subnet.secondary_ranges
                    ]
                    or None,
                )
            )
            for subnet in plan.subnets
        }
        if plan.internal_ranges:
            self._allow("internal", plan.internal_rule, plan.internal_ranges, _everything())
        if plan.ssh_ranges:
            self._allow(
                "ssh", plan.ssh_rule, plan.ssh_ranges, [ComputeFirewallAllow(protocol="tcp", ports=["22"])]
            )

    def _allow(
        self, id: str, name: str, ranges: tuple[str, ...], what: list[ComputeFirewallAllow]
    ) -> ComputeFirewall:
        return addressed(
            ComputeFirewall(
                self,
                id,
                name=name,
                network=self._id,
                direction="INGRESS",
                source_ranges=list(ranges),
                allow=what,
            )
        )


def _everything() -> list[ComputeFirewallAllow]:
    return [
        ComputeFirewallAllow(protocol="tcp"),
        ComputeFirewallAllow(protocol="udp"),
        ComputeFirewallAllow(protocol="icmp"),
    ]
