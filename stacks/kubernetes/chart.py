"""A component that is installed by its own Helm chart."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_helm.release import Release
from constructs import Construct

from clusterprint.plan.kubernetes import ChartPlan
from stacks.addresses import addressed
from stacks.kubernetes.objects import HISTORY
from stacks.kubernetes.values import values


class Chart(Construct):
    """A release of a published chart, in exactly one version. `after` has to be there before it."""

    def __init__(
        self, scope: Construct, id: str, *, after: Sequence[TerraformResource], plan: ChartPlan
    ) -> None:
        super().__init__(scope, id)
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
                # What comes next needs its kinds of objects and its web hooks to be there.
                wait=True,
                max_history=HISTORY,
                timeout=plan.wait_seconds,
                depends_on=list(after),
            )
        )
