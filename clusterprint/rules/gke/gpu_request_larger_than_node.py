from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pods import GPU, all_pods, gpus_of_node, pools_for
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, rule


@rule("GKE153", severity=Severity.ERROR)
def gpu_request_larger_than_node(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    del workloads
    for pods in all_pods(context):
        asked = pods.asks_for(GPU)
        pools = pools_for(pods, context)
        if not asked or pools is None:
            continue
        pools = [pool for pool in pools if node_pools.has_gpus(pool)]
        if not pools:
            yield Finding(
                f"{pods.one} asks for {counted(asked, 'GPU')}"
                f"{f' of type {pods.gpu_type}' if pods.gpu_type else ''}, which no pool has",
                pods.place(context),
                help="add a pool with such GPUs, or correct the manifest",
            )
            continue
        numbers = [gpus_of_node(pool) for pool in pools]
        if any(number is None or number >= asked for number in numbers):
            continue
        most, largest = max((number or 0, -index) for index, number in enumerate(numbers))
        pool = pools[-largest]
        yield Finding(
            f"{pods.one} asks for {counted(asked, 'GPU')}, but a node of pool {pool.name} has {most}",
            pods.place(context),
            also=(context.at(pool, "machine_type", text="the machine type"),),
            help=f"ask for at most {most}, or choose a larger machine type",
        )
