"""The number of machines of a group."""

from typing import NamedTuple

from clusterprint.blueprint.machines import MachineGroup
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import UNSET, Context


class Number(NamedTuple):
    """The most machines that a group has at a time, and the value that says so."""

    value: int
    key: str
    place: Label


def most_machines(group: MachineGroup, context: Context) -> Number:
    """The number of machines of a group; of one that grows, the greatest."""
    autoscaling = getattr(group, "autoscaling", UNSET)
    if autoscaling is not UNSET:
        return Number(autoscaling.max, "max", context.at(autoscaling, "max"))
    count = getattr(group, "count", UNSET)
    written = context.wrote(group, "count")
    place = context.at(group, "count" if written else "machine_type")
    return Number(1 if count is UNSET else count, "count", place)
