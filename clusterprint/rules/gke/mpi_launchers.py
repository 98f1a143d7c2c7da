from clusterprint import catalog
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pools import NodePool, SystemPool
from clusterprint.derived import existing, node_capacity, node_pools
from clusterprint.derived.node_capacity import Room
from clusterprint.rules.context import once
from clusterprint.rules.gke._jobs import pool_of
from clusterprint.rules.kit import Context, Finding, Iterable, Iterator, Severity, given, known, rule


@rule("GKE161", severity=Severity.ERROR, firm=True)
def mpi_launcher_without_place(job: MpiJob, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    if not given(job.launcher_node_pool):
        return
    own = not existing.is_existing(context.blueprint)
    name = job.launcher_node_pool
    pools = {each: pool for pool, each in known(existing.pools(context.blueprint), lambda item: item.name)}
    if name not in pools and not (own and name == node_pools.SYSTEM_POOL):
        if name == node_pools.SYSTEM_POOL:
            yield Finding(
                f"the launcher of MPI job {job.name} runs on pool system, which only a created cluster has",
                context.at(job, "launcher_node_pool"),
                help="name nodes of cluster.existing, or remove it",
            )
        return
    if name in pools and node_pools.tpu(pools[name]):
        yield Finding(
            f"the launcher of MPI job {job.name} runs on pool {name}, whose nodes have TPUs",
            context.at(job, "launcher_node_pool"),
            help="name another pool, or system",
        )
        return
    workers = pool_of(job, context)
    where = catalog.machine(
        pools[name].machine_type if name in pools else context.blueprint.system_pool.machine_type
    )
    theirs = node_pools.machine(workers) if workers else None
    if where and theirs and where.architecture != theirs.architecture:
        yield Finding(
            f"the launcher of MPI job {job.name} runs on {where.architecture}, and its workers with the same "
            f"image on {theirs.architecture}",
            context.at(job, "launcher_node_pool"),
            help="remove launcher_node_pool, or name a pool of the same processors",
        )


@rule("GKE164", severity=Severity.ERROR)
def mpi_launcher_larger_than_node(job: MpiJob, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    asked = [
        (field, wanted, of, unit)
        for field, wanted, of, unit in (
            ("launcher_cpus", job.launcher_cpus, "cpus", "cores"),
            ("launcher_memory_gb", job.launcher_memory_gb, "memory_gb", "GiB of memory"),
        )
        if given(wanted)
    ]
    types = _types(job, context) if asked else {}
    machines = {name: catalog.machine(each) for name, each in types.items()}
    rooms = {name: node_capacity.room(each) for name, each in machines.items() if each}
    if not rooms or len(rooms) < len(machines):
        return  # of a machine that is not in the catalog nobody knows
    # The pool that is closest to it; that it is not enough is said of this one.
    wants = [(of, wanted) for _, wanted, of, _ in asked]
    name = max(rooms, key=lambda each: _share(rooms[each], wants))
    for field, wanted, of, unit in asked:
        most = getattr(rooms[name], of)
        if wanted > most:
            yield Finding(
                f"the launcher of MPI job {job.name} asks for {wanted} {unit}, but a node of pool {name} has "
                f"{most} for pods",
                context.at(job, field),
                help=f"{f'write {field}: {most}' if most else f'remove {field}'}, or name a pool of larger "
                "machines as launcher_node_pool",
            )


def _types(job: MpiJob, context: Context[GkeBlueprint]) -> dict[str, str]:
    """The machine types of the pools that the launcher may run on, by name."""
    pools, system = context.blueprint.node_pools, context.blueprint.system_pool
    named = {name: pool.machine_type for pool, name in known(pools, lambda each: each.name)}
    if given(job.launcher_node_pool):
        name = job.launcher_node_pool
        named[node_pools.SYSTEM_POOL] = system.machine_type
        return {name: named[name]} if name in named else {}
    if existing.is_existing(context.blueprint):
        return {}  # it may run on nodes of which nothing is known
    workers = pool_of(job, context)
    machine = node_pools.machine(workers) if workers else None
    if workers is None or machine is None:
        return {}
    if machine.architecture != "amd64":
        return {workers.name: workers.machine_type}
    if given(job.queue):
        return named
    free = _free(context)
    return free if _is_other(system) else {node_pools.SYSTEM_POOL: system.machine_type, **free}


@once
def _free(context: Context[GkeBlueprint]) -> dict[str, str]:
    """The machine types of pools that take pods which tolerate nothing, by name."""
    mpi = context.blueprint.workloads.mpi
    taken = {pool.name for job in mpi.jobs if (pool := pool_of(job, context))} if given(mpi) else set()
    free = {}
    for pool in context.blueprint.node_pools:
        # A node that pods avoid if they can takes them all the same.
        kept = any(each.effect != "prefer_no_schedule" for each in pool.taints)
        classed = bool(node_pools.compute_class(context.blueprint, pool))
        if not (node_pools.is_accelerated(pool) or pool.name in taken or kept or _is_other(pool) or classed):
            free[pool.name] = pool.machine_type
    return free


def _is_other(pool: NodePool | SystemPool) -> bool:
    """Whether images for amd64 do not run there."""
    machine = catalog.machine(pool.machine_type)
    return machine is not None and machine.architecture != "amd64"


def _share(room: Room, wants: Iterable[tuple[str, int]]) -> float:
    """How much of what is wanted a node has, each wish counted as 1 if there is enough."""
    shares = (min(1.0, float(getattr(room, of)) / wanted) for of, wanted in wants)
    return sum(shares)
