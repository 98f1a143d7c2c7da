from collections.abc import Iterator

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.derived import existing
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.gke._jobs import kind, pool_of
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import nearest


@rule("GKE241", severity=Severity.ERROR, source="Kubernetes: assigning pods to nodes", firm=True)
def pool_of_pods_missing(group: PodGroup, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A JobSet or LeaderWorkerSet has no node pool to run on.

    Its pods run on the nodes of one pool: the one that it names, or the first.

    Name a pool of this blueprint, or add one.
    """
    if given(group.compute_class):
        return  # its pools are those of the class
    if pool_of(group, context) is not None or existing.has(context.blueprint, group.node_pool):
        return
    pools = [name for _, name in known(existing.pools(context.blueprint), lambda each: each.name)]
    if len(pools) < len(existing.pools(context.blueprint)):
        return  # one of them has a name that cannot be read
    if not given(group.node_pool):
        yield Finding(
            f"{kind(group)} {group.name} has no node pool to run on",
            context.at(group, "name"),
            help="add a pool to node_pools",
        )
        return
    others = f"the pools are {listed(pools, 'and')}" if pools else "add it to node_pools"
    yield Finding(
        f"{kind(group)} {group.name} runs on pool {group.node_pool}, but there is no such pool",
        context.at(group, "node_pool"),
        help=did_you_mean(nearest(group.node_pool, pools)) or others,
    )
