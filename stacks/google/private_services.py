"""Private service access: how Google's managed file systems are reached from a network."""

from collections.abc import Sequence

from cdktf import TerraformResource, TerraformResourceLifecycle
from cdktf_cdktf_provider_google.compute_global_address import ComputeGlobalAddress
from cdktf_cdktf_provider_google.service_networking_connection import ServiceNetworkingConnection
from constructs import Construct

from clusterprint.plan.volumes import PrivateServicesPlan
from stacks.addresses import addressed
from stacks.google.reserved_range import Range, reserve
from stacks.protection import prevent_destroy


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
        kept = Range(plan.project, plan.name, plan.address, plan.prefix_length)
        self._reserved = reserve(self, kept, network=network, after=after)
        # Another range would be another resource, while what has addresses in this one keeps them: the apply
        # would fail after it has closed the firewall to them.
        self._protected = True if plan.protected else None
        self._reserved.lifecycle = prevent_destroy(protected=plan.protected)
        self.range = f"{plan.address}/{plan.prefix_length}"
        self.resource = addressed(
            ServiceNetworkingConnection(
                self,
                "peering",
                network=network,
                service=plan.service,
                reserved_peering_ranges=[self._reserved.name],
                # Google's side may have it in use for hours after the last file system is gone.
                deletion_policy="ABANDON" if plan.goes_with_network else None,
                # And remembers it beyond the network: another network of this name may have other ranges.
                update_on_creation_fail=True if plan.goes_with_network else None,
            )
        )

    def share(self, other: ComputeGlobalAddress) -> None:
        """Let the peering use one more range: a network has only one with Google's services."""
        self.resource.reserved_peering_ranges = [self._reserved.name, other.name]
        # Google's side has it in use for hours after the last machine that builds.
        self.resource.deletion_policy = "ABANDON"
        # Whichever range goes, it goes after the peering has let go of it.
        self._reserved.lifecycle = TerraformResourceLifecycle(
            create_before_destroy=True, prevent_destroy=self._protected
        )
        other.lifecycle = TerraformResourceLifecycle(create_before_destroy=True)
