"""Private service access: how Google's managed file systems are reached from a network."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.compute_global_address import ComputeGlobalAddress
from cdktf_cdktf_provider_google.service_networking_connection import ServiceNetworkingConnection
from constructs import Construct

from clusterprint.plan.volumes import PrivateServicesPlan
from stacks.addresses import addressed


class PrivateServices(Construct):
    """A range of addresses for Google's services, and the peering that all of them share.

    `after` has to be there before both.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        network: str,
        after: Sequence[TerraformResource],
        plan: PrivateServicesPlan,
    ) -> None:
        super().__init__(scope, id)
        reserved = addressed(
            ComputeGlobalAddress(
                self,
                "range",
                project=plan.project,
                name=plan.name,
                purpose="VPC_PEERING",
                address_type="INTERNAL",
                address=plan.address,
                prefix_length=plan.prefix_length,
                network=network,
                depends_on=list(after),
            )
        )
        self.range = f"{plan.address}/{plan.prefix_length}"
        self.resource = addressed(
            ServiceNetworkingConnection(
                self,
                "peering",
                network=network,
                service=plan.service,
                reserved_peering_ranges=[reserved.name],
                # Google's side may have it in use for hours after the last file system is gone.
                deletion_policy="ABANDON" if plan.goes_with_network else None,
            )
        )
