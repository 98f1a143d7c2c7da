from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.gke._gpus import gpu_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, listed, rule


@rule("GKE031", severity=Severity.ERROR, source="Google Cloud: run multi-instance GPUs in GKE")
def partition_size_not_of_gpu(pool: NodePool, context: Context) -> Iterator[Finding]:
    """The GPU cannot be cut into partitions of this size.

    Each GPU model has its own sizes: the first number counts sevenths of its processors, the second its
    memory. GKE refuses others.

    Write one of the sizes that the help names.
    """
    size = pool.gpu.partition_size
    if not given(size):
        return
    gpu = gpu_of(pool)
    if gpu is None or not gpu.partitions or size in gpu.partitions:
        return
    yield Finding(
        f"{gpu.label} cannot be divided into partitions of {size}",
        context.at(pool.gpu, "partition_size"),
        also=(context.at(pool, "machine_type", text=f"has {gpu.label}"),),
        help=f"write {listed(gpu.partitions)}",
    )
