from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.rules.gke._pools import machines_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule
from clusterprint.rules.ray._workers import pools_of


@rule("RAY006", severity=Severity.ERROR, source="KubeRay: one pod template for all workers of a group")
def workers_on_unlike_machines(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """The pools of a group of workers have machines with different GPUs, TPUs or networks.

    All workers of a group are alike: they ask for a number of GPUs, and for the networks between them, by
    name. On machines with fewer they never run, and on machines with more the rest lies idle.

    Make a group, and a compute class, for each type of machine.
    """
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
