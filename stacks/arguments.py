"""Arguments that fields of plans name themselves: no construct has to write them."""

from cdktf import TerraformResource

from clusterprint.plan.argument import arguments
from clusterprint.plan.part import PlanPart


def set_arguments(resource: TerraformResource, plan: PlanPart) -> None:
    """Set what the fields of a plan, and of the parts in it, have an `Argument` for.

    It goes beside what the resource was made with, also in the same block.
    """
    for name, value in arguments(plan).items():
        resource.add_override(name, value)
