from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.jobs import WorkerBounds
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.derived import auto_creation, existing, node_capacity, node_pools
from clusterprint.rules.gke._pools import machines_of, number_label
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, known, rule
from clusterprint.rules.ray._workers import pools_of


@rule("RAY003", severity=Severity.ERROR)
def worker_larger_than_its_node(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    machines = [(pool, node_pools.machine(pool)) for pool in pools_of(worker, context)]
    for field, unit in _UNITS.items():
        sizes = [(getattr(node_capacity.room(machine), field), pool) for pool, machine in machines if machine]
        wanted = getattr(worker, field)
        if not given(wanted) or not sizes:
            continue
        most, pool = min(sizes, key=lambda each: each[0])
        if wanted > most:
            yield Finding(
                f"workers {worker.name} ask for {wanted} {unit},"
                f" but nodes of type {pool.machine_type} have {most} for pods",
                context.at(worker, field),
                also=(context.at(pool, "machine_type", text="the machine type"),),
                help=f"ask for at most {most}, or leave it out",
            )


_UNITS = {"cpus": "cores", "memory_gb": "GiB of memory"}


@rule("RAY006", severity=Severity.ERROR)
def workers_on_unlike_machines(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    first: tuple[NodePool, object] | None = None
    for pool, kind in known(pools_of(worker, context), machines_of):
        if first is None:
            first = (pool, kind)
        elif kind != first[1]:
            yield Finding(
                f"workers {worker.name} run on {first[0].machine_type} and on {pool.machine_type},"
                " which have different accelerators or networks",
                context.at(worker, "compute_class"),
                also=(
                    context.at(first[0], "machine_type", text=f"pool {first[0].name}"),
                    context.at(pool, "machine_type", text=f"pool {pool.name}"),
                ),
                help="make a group of workers, and a compute class, for each type of machine",
            )
            return


@rule("RAY007", severity=Severity.WARNING)
def more_workers_than_nodes_for_them(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    pools = pools_of(worker, context)
    if not pools:
        return
    hosts = max(1, node_pools.nodes_per_slice(pools[0]))
    nodes = sum(node_pools.max_nodes(context.blueprint, pool) for pool in pools)
    nodes += auto_creation.nodes_made(context.blueprint.compute_classes, worker.compute_class)
    for field in ("min", "max"):
        wanted = getattr(worker, field) * hosts
        if wanted > nodes:
            yield Finding(
                f"workers {worker.name} can grow to {wanted}, but there are at most {nodes} nodes for them",
                context.at(worker, field),
                also=(number_label(pools[0], context, text="the number of nodes"),),
                help=f"write {field}: {nodes // hosts}, or give the pools more nodes",
            )
            return


@rule("RAY075", severity=Severity.WARNING)
def more_workers_of_run_than_nodes(bounds: WorkerBounds, context: Context[RayBlueprint]) -> Iterator[Finding]:
    if not given(bounds.max):
        return  # the group's own is what another rule compares
    groups = known(context.blueprint.ray.workers, lambda item: item.name)
    group = next((each for each, name in groups if name == bounds.name), None)
    pools = pools_of(group, context) if group else []
    if group is None or not pools:
        return
    hosts = max(1, node_pools.nodes_per_slice(pools[0]))
    nodes = sum(node_pools.max_nodes(context.blueprint, pool) for pool in pools)
    nodes += auto_creation.nodes_made(context.blueprint.compute_classes, group.compute_class)
    if bounds.max * hosts > nodes:
        yield Finding(
            f"workers {bounds.name} can grow to {bounds.max * hosts}, but there are at most {nodes} nodes "
            "for them",
            context.at(bounds, "max"),
            also=(number_label(pools[0], context, text="the number of nodes"),),
            help=f"write max: {nodes // hosts}, or give the pools more nodes",
        )


@rule("RAY095", severity=Severity.ERROR, firm=True)
def worker_of_unknown_size(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    if given(worker.compute_class):
        return
    there = existing.nodes(context.blueprint)
    nodes = next((each for each in there if not given(worker.pool) or each.name == worker.pool), None)
    if nodes is None:
        return
    lacking = [
        field
        for field, of_nodes in (("cpus", nodes.vcpus), ("memory_gb", nodes.memory_gb))
        if not given(getattr(worker, field)) and not given(of_nodes)
    ]
    if lacking:
        yield Finding(
            f"workers {worker.name} have no {' and no '.join(lacking)}, and their nodes have no known size",
            context.at_key(worker),
            help=f"write {' and '.join(lacking)}",
        )


@rule("RAY097", severity=Severity.ERROR)
def worker_storage_larger_than_node(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
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


@rule("RAY124", severity=Severity.ERROR)
def workers_on_queued_nodes(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    for pool, queued in known(pools_of(worker, context), lambda each: each.capacity.queued):
        if queued:
            yield Finding(
                f"workers {worker.name} run on pool {pool.name}, whose nodes are created only for queued "
                "requests",
                context.at(worker, "compute_class" if worker.pool is UNSET else "pool"),
                also=(context.at(pool.capacity, "queued", text="queued provisioning"),),
                help="remove queued from the capacity of the pool",
            )
