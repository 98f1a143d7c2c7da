"""The stack `<name>-cluster` of a Ray cluster: a GKE cluster, and what Ray adds to it."""

from collections.abc import Mapping

from cdktf import TerraformStack
from constructs import Construct

from clusterprint.plan.ray.cluster import RayClusterPlan
from stacks.gke.cluster import ClusterStack
from stacks.ray.admission import Admission


def build(scope: Construct, plan: RayClusterPlan, built: Mapping[str, TerraformStack]) -> TerraformStack:  # noqa: ARG001 - refers to no other stack
    """Make the stack of a plan."""
    return RayClusterStack(scope, plan)


class RayClusterStack(ClusterStack):
    """A GKE cluster that Ray runs in."""

    def __init__(self, scope: Construct, plan: RayClusterPlan) -> None:
        super().__init__(scope, plan)
        if plan.admission:
            Admission(self, "admission", after=self.enabled, plan=plan.admission)
