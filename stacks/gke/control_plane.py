"""The GKE cluster without its nodes."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from cdktf import TerraformResource, TerraformResourceLifecycle
from cdktf_cdktf_provider_google.container_cluster import (
    ContainerCluster,
    ContainerClusterDatabaseEncryption,
    ContainerClusterDefaultSnatStatus,
    ContainerClusterIpAllocationPolicy,
    ContainerClusterMasterAuthorizedNetworksConfig,
    ContainerClusterMasterAuthorizedNetworksConfigCidrBlocks,
    ContainerClusterNodeConfig,
    ContainerClusterTimeouts,
)
from constructs import Construct

from clusterprint.plan.gke.control_plane import ControlPlanePlan
from stacks.arguments import set_arguments
from stacks.gke.addons import addons, set_newer_addons
from stacks.gke.maintenance import maintenance, set_newer_maintenance
from stacks.google.network import Network


class _Connection(TypedDict):
    """Arguments of the cluster: its network."""

    network: str
    subnetwork: str
    networking_mode: str
    ip_allocation_policy: ContainerClusterIpAllocationPolicy
    default_snat_status: ContainerClusterDefaultSnatStatus | None


class ControlPlane(Construct):
    """A cluster; its nodes are node pools of their own.

    `name`, `location`, `endpoint` and `certificate` (the base64 text of its authority's) are for those who
    want to talk to it. `after` has to be there before the cluster.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        networks: Mapping[str, Network],
        email: str,
        labels: dict[str, str],
        after: Sequence[TerraformResource],
        plan: ControlPlanePlan,
    ) -> None:
        super().__init__(scope, id)
        self.plan = plan
        wait = f"{plan.wait_minutes}m"
        self.resource = ContainerCluster(
            self,
            "Default",
            name=plan.name,
            location=plan.location,
            **_connection(plan, networks),
            maintenance_policy=maintenance(plan),
            master_authorized_networks_config=_reached_from(plan),
            node_config=ContainerClusterNodeConfig(service_account=email),
            addons_config=addons(plan.addons),
            resource_labels=labels,
            database_encryption=(
                ContainerClusterDatabaseEncryption(state="ENCRYPTED", key_name=plan.secrets_kms_key)
                if plan.secrets_kms_key
                else None
            ),
            timeouts=ContainerClusterTimeouts(create=wait, update=wait, delete=wait),
            depends_on=list(after),
            lifecycle=TerraformResourceLifecycle(
                # The first nodes are gone as soon as they are there: what they were made from must not
                # make the cluster anew.
                ignore_changes=["initial_node_count", "node_config"],
                # The provider looks at the protection when all node pools are gone; this stops the plan.
                prevent_destroy=True if plan.deletion_protection else None,
            ),
        )
        set_arguments(self.resource, plan)
        set_newer_addons(self.resource, plan.addons)
        set_newer_maintenance(self.resource, plan)
        self.name = self.resource.name
        self.location = self.resource.location
        self.endpoint = self.resource.endpoint
        self.certificate = self.resource.master_auth.cluster_ca_certificate
        self.dns_name = self.resource.control_plane_endpoints_config.dns_endpoint_config.endpoint


def _connection(plan: ControlPlanePlan, networks: Mapping[str, Network]) -> _Connection:
    """Where the cluster is connected, and how pods talk to each other."""
    own = networks.get(plan.network.network)
    return _Connection(
        network=own.resource.id if own else plan.network.existing_network,
        subnetwork=own.subnets[plan.network.subnet].id if own else plan.network.existing_subnet,
        networking_mode="VPC_NATIVE",
        ip_allocation_policy=ContainerClusterIpAllocationPolicy(
            cluster_secondary_range_name=plan.network.pod_range,
            services_secondary_range_name=plan.network.service_range,
        ),
        default_snat_status=(
            None if plan.network.default_snat else ContainerClusterDefaultSnatStatus(disabled=True)
        ),
    )


def _reached_from(plan: ControlPlanePlan) -> ContainerClusterMasterAuthorizedNetworksConfig:
    """Where its address can be reached from."""
    return ContainerClusterMasterAuthorizedNetworksConfig(
        cidr_blocks=[
            ContainerClusterMasterAuthorizedNetworksConfigCidrBlocks(
                cidr_block=each.cidr, display_name=each.name
            )
            for each in plan.authorized_networks
        ]
    )
