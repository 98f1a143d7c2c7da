from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.derived import node_capacity, node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule
from clusterprint.rules.ray._workers import pools_of


@rule("RAY097", severity=Severity.ERROR, source="Google Cloud: node allocatable resources in GKE")
def worker_storage_larger_than_node(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """A worker asks for more disk space than a node has left for pods.

    Space of pods is on the local SSDs of the node, or on its boot disk if it has none. GKE keeps a part of it
    and evicts pods before it is full. A pod that asks for more than the rest never runs.

    Ask for less, or give the pool a larger `boot_disk`.
    """
    if not given(worker.ephemeral_storage_gb):
        return
    for pool in pools_of(worker, context):
        room = _room(pool)
        if room is not None and worker.ephemeral_storage_gb > room:
            yield Finding(
                f"workers {worker.name} ask for {worker.ephemeral_storage_gb} GiB of disk space, but a node "
                f"of pool {pool.name} has {room} for pods",
                context.at(worker, "ephemeral_storage_gb"),
                also=(context.at(pool, "name", text="the pool"),),
                help=f"ask for at most {room}, or write a larger boot_disk.size_gb in the pool",
            )
            return


def _room(pool: NodePool) -> int | None:
    """GiB for pods on a node; None for a type that is not in the catalog, which may bring local SSDs."""
    if node_pools.machine(pool) is None and node_pools.tpu(pool) is None:
        return None
    machine, said = node_pools.machine(pool), pool.local_ssd
    ssds = machine.local_ssd.count if machine else 0
    if given(said):
        ssds = 0 if said.mode != "ephemeral" else said.count if given(said.count) and not ssds else ssds
    disk_gib = machine.local_ssd.disk_gib if machine else 0
    return node_capacity.free_storage_gib(pool.boot_disk.size_gb, ssds, disk_gib)
