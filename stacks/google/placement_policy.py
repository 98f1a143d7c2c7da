"""Placement policies of nodes."""

from collections.abc import Sequence

from cdktf import TerraformResource, TerraformResourceLifecycle
from cdktf_cdktf_provider_google.compute_resource_policy import (
    ComputeResourcePolicy,
    ComputeResourcePolicyGroupPlacementPolicy,
    ComputeResourcePolicyWorkloadPolicy,
)
from constructs import Construct

from clusterprint.plan.google import PolicyPlan
from stacks.addresses import addressed


class PlacementPolicy(Construct):
    """A group placement policy (nodes carry it) or a workload policy (their group carries it).

    With `first`, another policy is there before this one goes: for one that is named after what it says.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        after: Sequence[TerraformResource],
        plan: PolicyPlan,
        first: bool = False,
    ) -> None:
        super().__init__(scope, id)
        self.resource = addressed(
            ComputeResourcePolicy(
                self,
                "Default",
                name=plan.name,
                depends_on=list(after),
                # Without a number of machines, so that resizing the cluster never replaces the policy.
                group_placement_policy=(
                    ComputeResourcePolicyGroupPlacementPolicy(collocation="COLLOCATED")
                    if plan.kind == "compact"
                    else None
                ),
                workload_policy=_workload_policy(plan) if plan.kind == "workload" else None,
                lifecycle=TerraformResourceLifecycle(create_before_destroy=True) if first else None,
            )
        )


def _workload_policy(plan: PolicyPlan) -> ComputeResourcePolicyWorkloadPolicy:
    return ComputeResourcePolicyWorkloadPolicy(
        type="HIGH_THROUGHPUT",
        accelerator_topology=plan.accelerator_topology or None,
        max_topology_distance=plan.max_topology_distance or None,
    )
