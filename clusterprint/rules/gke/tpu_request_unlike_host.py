from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pods import TPU, all_pods, pools_for
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, rule


@rule("GKE151", severity=Severity.ERROR)
def tpu_request_unlike_host(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    del workloads
    for pods in all_pods(context):
        asked = pods.asks_for(TPU)
        pools = [pool for pool in pools_for(pods, context) or () if node_pools.tpu(pool)]
        if not asked or not pools or any(_fits(pool, asked) for pool in pools):
            continue
        chips = _chips(pools[0])
        yield Finding(
            f"{pods.one} asks for {counted(asked, 'TPU chip')}, but a host of pool "
            f"{pools[0].name} has {chips}",
            pods.place(context),
            also=(context.at(pools[0], "machine_type", text="the machine type"),),
            help=f"write {TPU}: {chips} in its resources",
        )


def _chips(pool: NodePool) -> int:
    found = node_pools.tpu(pool)
    return found[1].chips if found else 0


def _fits(pool: NodePool, asked: int) -> bool:
    return asked == _chips(pool) if node_pools.nodes_per_slice(pool) > 1 else asked <= _chips(pool)
