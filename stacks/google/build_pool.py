"""The private pool of machines that build images."""

from collections.abc import Mapping, Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.cloudbuild_worker_pool import (
    CloudbuildWorkerPool,
    CloudbuildWorkerPoolNetworkConfig,
    CloudbuildWorkerPoolWorkerConfig,
)
from cdktf_cdktf_provider_google.service_networking_connection import ServiceNetworkingConnection
from constructs import Construct

from clusterprint.plan.builds import BuildPoolPlan
from stacks.addresses import addressed
from stacks.google.network import Network
from stacks.google.private_services import PrivateServices
from stacks.google.reserved_range import Range, reserve


class BuildPool(Construct):
    """Build machines in Google's network, which is peered with the cluster's.

    `shared` is the peering of the network's file systems, if they have one: there is only one for both.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        region: str,
        networks: Mapping[str, Network],
        after: Sequence[TerraformResource],
        shared: PrivateServices | None,
        plan: BuildPoolPlan,
    ) -> None:
        super().__init__(scope, id)
        network = networks[plan.network].resource.id if plan.network else plan.existing_network
        kept = Range(plan.network_project, plan.range_name, plan.address, plan.prefix_length)
        reserved = reserve(self, kept, network=network, after=after)
        if shared:
            shared.share(reserved)
            self.peering = shared.resource
        else:
            self.peering = self._peer(network, reserved.name)
        self.resource = CloudbuildWorkerPool(
            self,
            "Default",
            name=plan.name,
            location=region,
            worker_config=CloudbuildWorkerPoolWorkerConfig(
                machine_type=plan.machine_type, disk_size_gb=plan.disk_size_gb
            ),
            network_config=CloudbuildWorkerPoolNetworkConfig(peered_network=network),
            depends_on=[self.peering],
        )

    def _peer(self, network: str, reserved: str) -> ServiceNetworkingConnection:
        return addressed(
            ServiceNetworkingConnection(
                self,
                "peering",
                network=network,
                service="servicenetworking.googleapis.com",
                reserved_peering_ranges=[reserved],
                # Google's side has it in use for hours after the last machine; it goes with the network.
                deletion_policy="ABANDON",
            )
        )
