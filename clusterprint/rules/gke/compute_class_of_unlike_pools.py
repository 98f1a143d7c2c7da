from clusterprint.blueprint.gke.compute_classes import ComputeClass
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule, values


@rule("GKE054", severity=Severity.WARNING)
def compute_class_of_unlike_pools(
    compute_class: ComputeClass, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    pools = {name: pool for pool, name in known(context.blueprint.node_pools, lambda each: each.name)}
    first = ""
    for index, name in values(compute_class, "prefer"):
        sort = _sort(pools[name]) if name in pools else ""
        first = first or sort
        if sort and sort != first:
            yield Finding(
                f"pool {name} has {sort}, but others in compute class {compute_class.name} have {first}",
                context.at(compute_class, "prefer", index),
                help="make one class for GPUs, one for each TPU slice and one for machines with neither",
            )


def _sort(pool: NodePool) -> str:
    """The devices of a pool's machines; nothing if they are not known."""
    found = node_pools.tpu(pool)
    if found:
        shape = f" in slices {pool.tpu.topology}" if given(pool.tpu) else ""
        return f"{found[1].chips}-chip TPU {found[0].name} machines{shape}"
    if node_pools.has_gpus(pool):
        return "GPUs"
    return "neither GPUs nor TPUs" if node_pools.machine(pool) else ""
