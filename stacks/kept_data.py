"""The data of volumes whose entries leave the blueprint."""

from collections.abc import Sequence

from cdktf import DataResource, LocalExecProvisioner, TerraformResource
from constructs import Construct

from clusterprint.plan.kept_data import KeptDataPlan
from stacks.addresses import addressed


class KeptData(Construct):
    """Runs a script before a volume is destroyed that has left the plan; if it fails, the volume stays.

    Terraform runs it for each key that has left `for_each`, as long as the block is there: so stacks have it
    without any volumes, too. What the last apply said of the volume, Terraform finds in its state.
    """

    def __init__(
        self, scope: Construct, id: str, *, volumes: Sequence[TerraformResource], plan: KeptDataPlan
    ) -> None:
        super().__init__(scope, id)
        guard = addressed(
            DataResource(
                self,
                "Default",
                input={name: f"${{each.value.{name}}}" for name in ("volume", "may_be_lost")},
                depends_on=list(volumes) or None,
                provisioners=[
                    LocalExecProvisioner(
                        type="local-exec",
                        when="destroy",
                        interpreter=["bash"],
                        command=plan.script,
                        environment={
                            "VOLUME": "${self.input.volume}",
                            "MAY_BE_LOST": "${self.input.may_be_lost}",
                        },
                        working_dir="${path.module}",
                    )
                ],
            )
        )
        # The engine leaves out a map that is empty, and with it all that the provisioner is for.
        guard.add_override(
            "for_each",
            {each.key: {"volume": each.volume, "may_be_lost": each.may_be_lost} for each in plan.volumes},
        )
