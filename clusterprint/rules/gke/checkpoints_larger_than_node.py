from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.checkpoints import Checkpoints
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import checkpoints as derived
from clusterprint.derived import node_capacity, node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE394", severity=Severity.ERROR, source="Google Cloud: node allocatable resources in GKE")
def checkpoints_larger_than_node(
    checkpoints: Checkpoints, context: Context[GkeBlueprint]
) -> Iterator[Finding]:
    """Checkpoints take more memory than nodes have.

    Checkpoints are kept in the memory for pods. When it is used up, the kernel kills processes, including
    those of the job.

    Write less, use larger machines, or name the pools that keep checkpoints.
    """
    for pool, memory in known(context.blueprint.node_pools, _free_memory):
        if memory and checkpoints.memory_gb >= memory and derived.keeps(checkpoints, pool):
            yield Finding(
                f"checkpoints take {checkpoints.memory_gb} GiB of each node, but one of pool {pool.name} has "
                f"about {int(memory)} for pods",
                context.at(checkpoints, "memory_gb"),
                also=(machine_label(pool, context),),
                help=f"write less than {int(memory)}, and leave some for the job",
            )


def _free_memory(pool: NodePool) -> float:
    """The memory of a node for pods; 0 if the catalog does not know it."""
    machine, tpu = node_pools.machine(pool), node_pools.tpu(pool)
    total = machine.memory_gb if machine else (tpu[1].memory_gb or 0 if tpu else 0)
    return node_capacity.free_memory_gb(total) if total else 0
