from collections.abc import Iterator

from clusterprint.blueprint.gke.compute_classes import ComputeClass
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known, values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import nearest


@rule(
    "GKE051", severity=Severity.ERROR, source="Google Cloud: about custom compute classes in GKE", firm=True
)
def pool_of_compute_class_missing(
    compute_class: ComputeClass, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A compute class prefers a node pool that does not exist.

    Pods of the class would wait for nodes that never come.

    Name a pool of this blueprint.
    """
    pools = [name for _, name in known(context.blueprint.node_pools, lambda each: each.name)]
    if len(pools) < len(context.blueprint.node_pools):
        return  # one of them has a name that cannot be read
    for index, name in values(compute_class, "prefer"):
        if name not in pools:
            meant = nearest(name, pools)
            yield Finding(
                f"compute class {compute_class.name} prefers pool {name}, but there is no such pool",
                context.at(compute_class, "prefer", index),
                help=did_you_mean(meant) or _help_for(pools),
                instead=meant,
            )


def _help_for(pools: list[str]) -> str:
    return f"the pools are {listed(pools, 'and')}" if pools else "add a pool to node_pools"
