"""An apply that ends when the nodes are ready."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cdktf import DataResource, LocalExecProvisioner, TerraformResource
from constructs import Construct

from clusterprint.plan.vm import WaitPlan
from stacks.addresses import addressed

# It lies beside the stack, and is given all that it needs by its environment.
SCRIPT = "wait-for-nodes"


class Wait(Construct):
    """Runs a script that asks the nodes, again whenever there are other nodes or other `templates`.

    No provider waits for what machines say of themselves. A wait that failed is repeated by the next apply.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        project: str,
        templates: Mapping[str, str],
        after: Sequence[TerraformResource],
        plan: WaitPlan,
    ) -> None:
        super().__init__(scope, id)
        nodes = " ".join(plan.nodes)
        addressed(
            DataResource(
                self,
                "Default",
                triggers_replace={"nodes": nodes, **templates},
                depends_on=list(after),
                provisioners=[
                    LocalExecProvisioner(
                        type="local-exec",
                        command=f'bash "${{path.module}}/{SCRIPT}"',
                        environment={
                            "CLUSTERPRINT_PROJECT": project,
                            "CLUSTERPRINT_NODES": nodes,
                            "CLUSTERPRINT_TIMEOUT": str(plan.timeout_seconds),
                        },
                    )
                ],
            )
        )


def lay_script(plan: WaitPlan, stack_folder: Path) -> None:
    """Put the script where Terraform runs it."""
    stack_folder.mkdir(parents=True, exist_ok=True)
    (stack_folder / SCRIPT).write_text(plan.script, "utf-8")
