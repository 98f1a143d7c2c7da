from clusterprint.blueprint.gke.gpu import GpuSettings
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE034", severity=Severity.ERROR, source="Google Cloud: about GPU sharing strategies in GKE")
def mps_on_partitions(gpu: GpuSettings, context: Context) -> Iterator[Finding]:
    """GPUs are cut into partitions and shared by MPS at the same time.

    NVIDIA MPS shares whole GPUs in GKE. On partitions, only time-sharing works.

    Write `strategy: time_sharing`, or remove `partition_size`.
    """
    if not given(gpu.partition_size) or not given(gpu.sharing) or gpu.sharing.strategy != "mps":
        return
    yield Finding(
        f"partitions of {gpu.partition_size} cannot be shared by MPS",
        context.at(gpu.sharing, "strategy"),
        also=(context.at(gpu, "partition_size", text="the partitions"),),
        help="write strategy: time_sharing, or remove partition_size",
    )
