from clusterprint import catalog
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Head
from clusterprint.derived import existing, node_capacity
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY008", severity=Severity.ERROR, source="Google Cloud: node allocatable resources in GKE")
def head_larger_than_node(head: Head, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """The head asks for more cores or memory than a node of the system pool has left.

    It runs there, as only that pool is always up. Without its head no Ray cluster begins to run.

    Choose a larger machine type for `system_pool`, or a smaller head.
    """
    if existing.is_existing(context.blueprint):
        return
    pool = context.blueprint.system_pool
    machine = catalog.machine(pool.machine_type)
    if machine is None:
        return
    room = node_capacity.room(machine)
    for field, unit in (("cpus", "cores"), ("memory_gb", "GiB of memory")):
        wanted, most = getattr(head, field), getattr(room, field)
        if wanted > most:
            yield Finding(
                f"the head asks for {wanted} {unit}, "
                f"but nodes of type {pool.machine_type} have {most} for pods",
                context.at(head, field),
                also=(context.at(pool, "machine_type", text="the system pool"),),
                help=f"ask for at most {most}, or choose a larger machine_type in system_pool",
            )
