"""Protection of the data of volumes whose entries leave the blueprint, where no provider has any.

Terraform forgets `prevent_destroy` together with the block that has it. Google's provider has
`deletion_policy`, which the state keeps; azurerm and google 6.50.0 have nothing of the kind. Their stacks
have one `terraform_data` with an instance for each created volume, also without any volumes, because only a
block that still exists has a provisioner. The instances depend on the volumes, so Terraform deletes the
instance of a removed entry first, and a script (`nodes/deploy/keep-data`) decides by the state of that
instance. `down` uses stacks without resources, and keeps this one as long as it keeps the data.
"""

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
