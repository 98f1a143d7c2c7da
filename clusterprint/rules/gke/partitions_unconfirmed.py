from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.gke._gpus import gpu_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE033", severity=Severity.WARNING, source="Google Cloud: run multi-instance GPUs in GKE")
def partitions_unconfirmed(pool: NodePool, context: Context) -> Iterator[Finding]:
    """It is not known whether GKE cuts this GPU into partitions.

    The GPU itself can be cut, but the documentation of GKE does not name it.

    Remove `partition_size`, or ignore this warning if you know better.
    """
    if not given(pool.gpu.partition_size):
        return
    gpu = gpu_of(pool)
    if gpu is None or gpu.is_certain("partitions"):
        return
    yield Finding(
        f"GKE is not known to divide {gpu.label} into partitions",
        context.at(pool.gpu, "partition_size"),
        also=(context.at(pool, "machine_type", text=f"has {gpu.label}"),),
        help="remove partition_size",
    )
