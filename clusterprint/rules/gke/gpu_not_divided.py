from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.gke._gpus import gpu_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE032", severity=Severity.ERROR, source="Google Cloud: run multi-instance GPUs in GKE")
def gpu_not_divided(pool: NodePool, context: Context) -> Iterator[Finding]:
    """The GPU does not support partitions.

    Only A100, H100, H200 and B200 support multi-instance GPU. GKE refuses the pool.

    Let containers share the GPU with `sharing`, or use a machine type with such a GPU.
    """
    if not given(pool.gpu.partition_size):
        return
    gpu = gpu_of(pool)
    if gpu is None or gpu.partitions or not gpu.is_certain("partitions"):
        return
    yield Finding(
        f"{gpu.label} cannot be partitioned",
        context.at(pool.gpu, "partition_size"),
        also=(context.at(pool, "machine_type", text=f"has {gpu.label}"),),
        help="use sharing: {strategy: time_sharing, max_clients: 2} instead of partition_size",
    )
