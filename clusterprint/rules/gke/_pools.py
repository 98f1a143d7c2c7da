"""Where a node pool says what rules point at."""

from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.diagnostic import Label
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given


def machine_label(pool: NodePool, context: Context) -> Label:
    """The machine type, as the other side of a contradiction."""
    return context.at(pool, "machine_type", text="the machine type")


def number_label(pool: NodePool, context: Context, text: str = "") -> Label:
    """Where it was decided how many nodes there are: the machine type if nothing is said."""
    if given(pool.autoscaling):
        return context.at(pool.autoscaling, "max", text=text)
    return context.at(pool, "count" if given(pool.count) else "machine_type", text=text)


def zones_label(pool: NodePool, context: Context, text: str = "") -> Label:
    """Where it was decided in which zones the nodes are: the machine type if nothing is said."""
    if context.wrote(pool, "zones"):
        return context.at(pool, "zones", text=text)
    if context.wrote(context.blueprint, "zone"):
        return context.at(context.blueprint, "zone", text=text)
    return context.at(pool, "machine_type", text=text)
