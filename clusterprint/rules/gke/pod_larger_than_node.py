from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.derived import node_capacity, node_pools
from clusterprint.rules.gke._jobs import pool_of
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE245", severity=Severity.ERROR, source="Google Cloud: node allocatable resources in GKE")
def pod_larger_than_node(group: PodGroup, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A pod asks for more vCPUs or memory than a node has left for pods.

    GKE keeps a part of each node for itself and for the system's own pods. A pod that asks for more than
    the rest fits nowhere, and waits forever.

    Ask for less, leave it out (a pod has its node to itself anyway), or choose a larger machine type.
    """
    pool = pool_of(group, context)
    machine = node_pools.machine(pool) if pool is not None else None
    if pool is None or machine is None:
        return
    cpus, memory = node_capacity.room(machine)
    asked = (
        ("cpus_per_pod", group.cpus_per_pod, cpus, "vCPUs"),
        ("memory_gb_per_pod", group.memory_gb_per_pod, memory, "GiB of memory"),
    )
    for field, amount, room, unit in asked:
        if given(amount) and amount > room:
            yield Finding(
                f"each pod asks for {amount} {unit}, but a node has about {room} for pods",
                context.at(group, field),
                also=(machine_label(pool, context),),
                help=f"ask for at most {room}, or leave it out",
            )
