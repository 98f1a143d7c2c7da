from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.derived import node_capacity, node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule
from clusterprint.rules.ray._workers import pools_of


@rule("RAY003", severity=Severity.ERROR, source="Google Cloud: node allocatable resources in GKE")
def worker_larger_than_its_node(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """A worker asks for more cores or memory than a node has left for pods.

    GKE keeps a part of each node for itself and for the system's own pods. A pod that asks for more than
    the rest fits nowhere: the autoscaler asks for nodes again and again, and the worker never runs.

    Ask for less, or leave it out: a worker then gets what the smallest of its machine types has left.
    """
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
