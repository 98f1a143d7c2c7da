"""An apply that ends when the nodes are ready."""

from collections.abc import Mapping, Sequence

from cdktf import DataResource, LocalExecProvisioner, TerraformResource
from constructs import Construct

from clusterprint.plan.vm import WaitPlan
from stacks.addresses import addressed


class Wait(Construct):
    """Runs a script that asks the nodes, again whenever there are other nodes or anything else in `told_by`.

    No provider waits for what machines say of themselves. A wait that failed is repeated by the next apply.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        told_by: Mapping[str, str],
        after: Sequence[TerraformResource],
        plan: WaitPlan,
    ) -> None:
        super().__init__(scope, id)
        addressed(
            DataResource(
                self,
                "Default",
                triggers_replace={"nodes": plan.environment["NODES"], **told_by},
                depends_on=list(after),
                provisioners=[
                    LocalExecProvisioner(
                        type="local-exec",
                        interpreter=["bash"],
                        command=plan.script,
                        environment=plan.environment,
                        working_dir="${path.module}",
                    )
                ],
            )
        )
