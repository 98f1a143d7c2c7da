"""Objects of kinds that Terraform has no types for."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cdktf import TerraformResource
from cdktf_cdktf_provider_helm.release import Release
from constructs import Construct

from clusterprint.plan.kubernetes import ReleasePlan
from stacks.addresses import addressed
from stacks.arguments import set_arguments
from stacks.kubernetes.values import values

# Where Terraform finds the chart: below the folder of the stack, so that no path of a machine is written.
FOLDER = Path("files", "objects")

_SOURCE = Path(__file__).parent / "objects_chart"


class Objects(Construct):
    """Objects by key, as they are, as one release of our own chart.

    A changed object is a changed value, which the plan shows; one that is left out goes. Nothing is asked
    of the cluster until it is applied. `after` has to be there before: the definitions of their kinds.
    With `wait` definitions are in force when the release is made, and objects are gone when it is deleted.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        name: str,
        namespace: str,
        objects: Mapping[str, Mapping[str, Any]],
        after: Sequence[TerraformResource] = (),
        wait: bool = True,
    ) -> None:
        super().__init__(scope, id)
        self.resource = addressed(
            Release(
                self,
                "Default",
                name=name,
                namespace=namespace,
                chart=f"./{FOLDER.as_posix()}",
                values=[values({"objects": objects})],
                wait=wait,
                depends_on=list(after),
            )
        )
        set_arguments(self.resource, ReleasePlan())


def lay_chart(stack_folder: Path) -> None:
    """Put the chart where Terraform will look for it."""
    shutil.copytree(_SOURCE, stack_folder / FOLDER)
