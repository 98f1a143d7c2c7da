"""The network that all machines are in."""

from cdktf import TerraformResource
from cdktf_cdktf_provider_azurerm.network_security_group import NetworkSecurityGroup
from cdktf_cdktf_provider_azurerm.network_security_rule import NetworkSecurityRule
from cdktf_cdktf_provider_azurerm.subnet import Subnet
from cdktf_cdktf_provider_azurerm.subnet_network_security_group_association import (
    SubnetNetworkSecurityGroupAssociation,
)
from cdktf_cdktf_provider_azurerm.virtual_network import VirtualNetwork
from constructs import Construct

from clusterprint.plan.azure import NetworkPlan, SshRulePlan
from stacks.addresses import addressed
from stacks.azure.bastion import Bastion
from stacks.azure.nat_gateway import NatGateway
from stacks.azure.place import Place


class Network(Construct):
    """A virtual network with a subnet, its security group and its NAT; or an existing subnet.

    In an existing subnet the security group belongs to the machines' interfaces: `interface_group` is its
    id then, else empty. `name` is that of a network that is made, and `ready` what machines wait for.
    """

    def __init__(self, scope: Construct, id: str, *, place: Place, plan: NetworkPlan) -> None:
        super().__init__(scope, id)
        self.ready: list[TerraformResource] = []
        self.name = ""
        group = addressed(
            NetworkSecurityGroup(self, "security_group", name=plan.security_group, **place.common)
        )
        if plan.ssh.sources:
            self.ready.append(self._open_ssh(plan.ssh, group, place))
        self.interface_group = group.id if plan.existing_subnet else ""
        self.subnet_id = plan.existing_subnet or self._create(plan, group, place)

    def _create(self, plan: NetworkPlan, group: NetworkSecurityGroup, place: Place) -> str:
        network = VirtualNetwork(self, "Default", name=plan.name, address_space=[plan.cidr], **place.common)
        self.name = network.name
        subnet = addressed(
            Subnet(
                self,
                "subnet",
                name=plan.subnet,
                resource_group_name=place.group,
                virtual_network_name=network.name,
                address_prefixes=[plan.subnet_cidr],
                # The way out is the NAT gateway, or none: never an address that Azure picks.
                default_outbound_access_enabled=False,
            )
        )
        if plan.service_endpoints and plan.endpoint_blocks:
            subnet.add_override("service_endpoint", [{"service": each} for each in plan.service_endpoints])
        elif plan.service_endpoints:
            # The bindings of cdktn have blocks in its place: see stacks/engines.py.
            subnet.add_override("service_endpoints", list(plan.service_endpoints))
        subnet_id = subnet.id
        self.ready.append(
            addressed(
                SubnetNetworkSecurityGroupAssociation(
                    self, "guard", subnet_id=subnet_id, network_security_group_id=group.id
                )
            )
        )
        if plan.nat:
            self.ready += NatGateway(self, "nat", place=place, subnet_id=subnet_id, plan=plan.nat).ready
        if plan.bastion:
            Bastion(self, "bastion", place=place, network=network, plan=plan.bastion)
        return subnet_id

    def _open_ssh(self, plan: SshRulePlan, group: NetworkSecurityGroup, place: Place) -> NetworkSecurityRule:
        """Everything else from outside is closed, and everything inside the network open, by default."""
        return addressed(
            NetworkSecurityRule(
                self,
                "ssh",
                name="ssh",
                resource_group_name=place.group,
                network_security_group_name=group.name,
                priority=plan.priority,
                direction="Inbound",
                access="Allow",
                protocol="Tcp",
                source_port_range="*",
                source_address_prefixes=list(plan.sources),
                destination_port_range="22",
                destination_address_prefix=plan.destination,
            )
        )
