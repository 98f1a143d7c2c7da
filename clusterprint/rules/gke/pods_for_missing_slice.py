from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pods import TPU, all_pods, pools_for
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, listed, rule


@rule("GKE150", severity=Severity.ERROR, source="Google Cloud: deploy TPU workloads in GKE")
def pods_for_missing_slice(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A manifest asks for a TPU slice that no pool of the cluster has.

    Pods choose their slice by the labels for TPU type and topology. If no node has both, they wait forever.

    Write the labels of a pool into the manifest, or add such a pool.
    """
    del workloads
    for pods in all_pods(context):
        asked = " ".join(filter(None, (pods.tpu_type, pods.topology)))
        if not asked and not pods.asks_for(TPU):
            continue
        pools = pools_for(pods, context)
        with_tpus = [pool for pool in pools or () if node_pools.tpu(pool)]
        if pools is None or with_tpus:
            continue
        there = [_slice(pool) for pool in context.blueprint.node_pools if node_pools.tpu(pool)]
        yield Finding(
            f"{pods.where} asks for {f'a TPU slice {asked}' if asked else 'TPUs'}, which no pool has",
            pods.place(context),
            help=f"the pools are {listed(there, 'and')}" if there else "add a pool with such machines",
        )


def _slice(pool: NodePool) -> str:
    found = node_pools.tpu(pool)
    label = found[0].accelerator_label if found else ""
    return f"{label} {pool.tpu.topology} ({pool.name})" if given(pool.tpu) else f"{label} ({pool.name})"
