from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_FIELDS = ("driver", "sharing", "partition_size")


@rule("GKE030", severity=Severity.ERROR, source="Google Cloud: run GPUs in GKE Standard node pools")
def gpu_settings_without_gpus(pool: NodePool, context: Context) -> Iterator[Finding]:
    """GPU settings are given for machines without GPUs.

    A driver, a partition size or a way of sharing would do nothing. Most likely the machine type is not the
    one that was meant.

    Use a machine type with GPUs, or remove `gpu`.
    """
    if node_pools.has_gpus(pool) or not (node_pools.machine(pool) or node_pools.tpu(pool)):
        return
    written = next((field for field in _FIELDS if context.wrote(pool.gpu, field)), None)
    if written:
        yield Finding(
            f"{pool.machine_type} has no GPUs, so gpu.{written} of pool {pool.name} has no effect",
            context.at_key(pool.gpu, written),
            also=(machine_label(pool, context),),
            help="use a machine type with GPUs, or remove gpu",
        )
