"""A component that is installed by its own Helm chart."""

from collections.abc import Sequence
from typing import Any

from cdktf import TerraformResource
from cdktf_cdktf_provider_helm.release import Release
from constructs import Construct

from clusterprint.plan.kubernetes import ChartPlan
from stacks.addresses import addressed
from stacks.arguments import set_arguments
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.values import values


class Chart(Construct):
    """A release of a published chart, in exactly one version. `after` has to be there before it."""

    def __init__(
        self, scope: Construct, id: str, *, after: Sequence[TerraformResource], plan: ChartPlan
    ) -> None:
        super().__init__(scope, id)
        if plan.critical_pods:
            after = [*after, self._allowance(plan, after)]
        self.resource = addressed(
            Release(
                self,
                "Default",
                name=plan.name,
                namespace=plan.namespace,
                repository=plan.repository or None,
                chart=plan.chart,
                version=plan.version,
                values=[values(plan.values)] if plan.values else None,
                # What comes after a component needs its kinds of objects and its web hooks to be there.
                wait=plan.wait,
                depends_on=list(after),
            )
        )
        set_arguments(self.resource, plan)

    def _allowance(self, plan: ChartPlan, after: Sequence[TerraformResource]) -> TerraformResource:
        """Outside of its own namespaces, GKE lets pods be critical only where a quota counts them."""
        return Objects(
            self,
            "critical-pods",
            name=f"{plan.name}-critical-pods",
            namespace=plan.namespace,
            objects={"quota": _quota(plan)},
            after=after,
        ).resource


def _quota(plan: ChartPlan) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "critical-pods", "namespace": plan.namespace},
        "spec": {
            "hard": {"pods": str(plan.critical_pods)},
            "scopeSelector": {
                "matchExpressions": [
                    {
                        "scopeName": "PriorityClass",
                        "operator": "In",
                        "values": ["system-cluster-critical", "system-node-critical"],
                    }
                ]
            },
        },
    }
