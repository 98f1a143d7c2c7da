from clusterprint import wishes
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.compute_classes import ComputeClass
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.diagnostic import Label
from clusterprint.rules.gke._jobs import Job, pools_of_class
from clusterprint.rules.gke._keys import COMPUTE_CLASS
from clusterprint.rules.gke._pools import machines_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule, values


@rule("GKE052", severity=Severity.ERROR, firm=True)
def pool_in_two_compute_classes(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    first: dict[str, ComputeClass] = {}
    for each, _ in known(blueprint.compute_classes, lambda each: each.prefer):
        for index, name in values(each, "prefer"):
            before = first.setdefault(name, each)
            if before is not each:
                yield Finding(
                    f"pool {name} belongs to two compute classes",
                    context.at(each, "prefer", index),
                    also=(context.at_key(before, "prefer", text="the first one"),),
                    help="make another pool of the same machines for one of the two",
                )


@rule("GKE043", severity=Severity.ERROR)
def compute_class_by_hand(pool: NodePool, context: Context) -> Iterator[Finding]:
    if COMPUTE_CLASS in pool.node_labels:
        yield _finding(pool, context.at_key(pool, "node_labels", COMPUTE_CLASS))
    for taint, key in known(pool.taints, lambda each: each.key):
        if key == COMPUTE_CLASS:
            yield _finding(pool, context.at(taint, "key"))


def _finding(pool: NodePool, place: Label) -> Finding:
    return Finding(
        f"pool {pool.name} belongs to a compute class by being named in it, not by {COMPUTE_CLASS}",
        place,
        help="name the pool in prefer of a compute class, and remove this",
    )


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


@rule("GKE342", severity=Severity.ERROR, firm=True)
def class_of_job_unusable(job: Job, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    first: tuple[NodePool, object] | None = None
    look = known(pools_of_class(job, context), lambda each: ((machines_of(each), _zone(each, context)),))
    for pool, sort in look:
        why = _unusable(job, pool)
        if not why and first and sort != first[1]:
            why = f"other machines or networks than pool {first[0].name}"
        first = first or (pool, sort)
        if why:
            yield Finding(
                f"{job.noun} {job.name} cannot run on pool {pool.name} of its class, which has {why}",
                context.at(job, "compute_class"),
                also=(context.at(pool, "machine_type", text="the machine type"),),
                help="use a compute class whose pools have the same machines",
            )
            return


def _unusable(job: Job, pool: NodePool) -> str:
    if node_pools.tpu(pool) and (isinstance(job, MpiJob) or node_pools.nodes_per_slice(pool) > 1):
        return "TPUs" if isinstance(job, MpiJob) else "TPU slices of several hosts"
    return "queued nodes" if pool.capacity.queued and pool.capacity.model == "flex_start" else ""


def _zone(pool: NodePool, context: Context[GkeBlueprint]) -> str:
    """Where the network for RDMA of a pool is; empty for pools without."""
    has_rdma = node_pools.layout(pool).rdma_vpcs
    return node_pools.zones(context.blueprint, pool)[0] if has_rdma else ""


@rule("GKE300", severity=Severity.NOTE)
def fallback_after_queue(_: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    document = context.document.said or context.document
    for group in wishes.groups(document):
        models = [each["model"] for each in group.wishes]
        if "flex_start" in models[:-1]:
            yield Finding(
                f"up never tries this fallback: pool {group.name} with flex_start is created without any "
                "nodes",
                document.label(group.place_of(models.index("flex_start") + 1)),
                help="put flex_start last, or use a compute class of two pools",
            )
