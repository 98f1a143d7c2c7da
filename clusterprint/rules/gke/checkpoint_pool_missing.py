from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.checkpoints import Checkpoints
from clusterprint.derived import checkpoints as derived
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE392", severity=Severity.ERROR, source="Google Cloud: multi-tier checkpointing in GKE", firm=True)
def checkpoint_pool_missing(checkpoints: Checkpoints, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """No nodes keep checkpoints.

    Checkpoints are kept on the nodes of the named pools, or of all pools with GPUs or TPUs. These nodes get a
    label, so the pools have to be in this blueprint.

    Name pools of this blueprint.
    """
    pools = context.blueprint.node_pools
    names = [name for _, name in known(pools, lambda each: each.name)]
    if len(names) < len(pools):
        return  # one of them has a name that cannot be read
    seen = list(known(pools, lambda each: derived.keeps(checkpoints, each)))
    if not checkpoints.node_pools and len(seen) == len(pools) and not any(keeps for _, keeps in seen):
        yield Finding(
            "no nodes keep checkpoints: no pool has GPUs or TPUs, and none is named",
            context.at_key(context.blueprint.workloads, "checkpoints"),
            help="name pools in checkpoints.node_pools" if names else "add a pool to node_pools",
        )
