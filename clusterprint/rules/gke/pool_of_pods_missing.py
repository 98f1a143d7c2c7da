from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.derived import existing
from clusterprint.rules.gke._jobs import pool_of
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, known, rule


@rule("GKE241", severity=Severity.ERROR, source="Kubernetes: assigning pods to nodes", firm=True)
def pool_of_pods_missing(group: PodGroup, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A JobSet or LeaderWorkerSet has no node pool to run on.

    Its pods run on the nodes of one pool: the one that it names, or the first.

    Name a pool of this blueprint, or add one.
    """
    if given(group.compute_class):
        return  # its pools are those of the class
    if given(group.node_pool) or pool_of(group, context) or existing.has(context.blueprint, UNSET):
        return
    pools = existing.pools(context.blueprint)
    if len(list(known(pools, lambda each: each.name))) == len(pools):
        yield Finding(
            f"{group.noun} {group.name} has no node pool to run on",
            context.at(group, "name"),
            help="add a pool to node_pools",
        )
