"""The stack `<name>-cluster` of a Ray cluster: a GKE cluster, and what its image is made in."""

from collections.abc import Mapping

from cdktf import TerraformStack
from constructs import Construct

from clusterprint.plan.ray.cluster import RayClusterPlan
from stacks.gke.cluster import ClusterStack
from stacks.ray.admission import Admission
from stacks.ray.build_pool import BuildPool
from stacks.ray.builder import Builder
from stacks.ray.registry import Registry


def build(scope: Construct, plan: RayClusterPlan, built: Mapping[str, TerraformStack]) -> TerraformStack:  # noqa: ARG001 - refers to no other stack
    """Make the stack of a plan."""
    return RayClusterStack(scope, plan)


#: Where the peering with Google's services is in a state: with builds alone, and shared with file systems.
_PEERINGS = ("builds_peering", "volumes_services_peering")


class RayClusterStack(ClusterStack):
    """A GKE cluster that Ray runs in."""

    def __init__(self, scope: Construct, plan: RayClusterPlan) -> None:
        super().__init__(scope, plan)
        registries: dict[str, Registry] = {
            each.form: Registry(
                self,
                f"registry-{each.form}",
                region=plan.region,
                labels=plan.labels,
                after=self.enabled,
                plan=each,
            )
            for each in plan.registries
        }
        if plan.builder:
            Builder(
                self,
                "builder",
                project=plan.project,
                registries=registries,
                after=self.enabled,
                plan=plan.builder,
            )
        if plan.build_pool:
            pool = BuildPool(
                self,
                "builds",
                region=plan.region,
                networks=self.networks,
                after=self.enabled,
                shared=self.private_services,
                plan=plan.build_pool,
            )
            self._move_peering(pool)
        if plan.admission:
            Admission(self, "admission", after=self.enabled, plan=plan.admission)

    def _move_peering(self, pool: BuildPool) -> None:
        """The one peering stays when file systems come to a network that builds, and when they leave it."""
        here = f"{pool.peering.terraform_resource_type}.{pool.peering.friendly_unique_id}"
        places = (f"{pool.peering.terraform_resource_type}.{each}" for each in _PEERINGS)
        self.add_override("moved", [{"from": each, "to": here} for each in places if each != here])
