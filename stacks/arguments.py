"""Arguments that fields of plans name themselves: no construct has to write them."""

from cdktf import TerraformResource

from clusterprint.plan.argument import arguments
from clusterprint.plan.slice import Slice


def set_arguments(resource: TerraformResource, plan: Slice) -> None:
    """Set what the fields of a plan, and of the slices in it, have an `Argument` for.

    It goes beside what the resource was made with, also in the same block.
    """
    for name, value in arguments(plan).items():
        resource.add_override(name, value)
