"""Kueue: what each pool can hold, as quotas."""

import math

from clusterprint import node_capacity
from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.pools import PoolPlan
from clusterprint.plan.gke.queues import FlavorPlan, LocalQueuePlan, QueuesPlan
from clusterprint.resolve.gke.charts import KUEUE_NAMESPACE, resolve_chart
from clusterprint.resolve.gke.pods import POOL_LABEL, resolve_tolerations

# Since this version.
_V1BETA2 = (0, 15)

GPU = "nvidia.com/gpu"
TPU = "google.com/tpu"


def resolve_queues(kueue: Kueue, cluster: GkeClusterPlan) -> QueuesPlan:
    """One flavor for each pool; what a pool has none of, it has a quota of 0 of."""
    quotas = {pool.key: _quotas(pool) for pool in cluster.pools}
    resources = [
        each for each in ("cpu", "memory", GPU, TPU) if any(each in quota for quota in quotas.values())
    ]
    chart = resolve_chart("kueue", KUEUE_NAMESPACE, kueue, {})
    return QueuesPlan(
        chart=chart,
        api_version="v1beta2" if _version(chart.version) >= _V1BETA2 else "v1beta1",
        cluster_queue=kueue.cluster_queue,
        resources=tuple(resources),
        flavors=tuple(
            FlavorPlan(
                name=pool.key,
                labels={POOL_LABEL: pool.key},
                tolerations=resolve_tolerations(pool),
                quotas={each: quotas[pool.key].get(each, "0") for each in resources},
            )
            for pool in cluster.pools
        ),
        local_queues=tuple(
            LocalQueuePlan(name=each.name, namespace=each.namespace) for each in kueue.local_queues
        ),
    )


def _version(version: str) -> tuple[int, ...]:
    """The first two numbers of a version."""
    return tuple(int(number) for number in version.removeprefix("v").split(".")[:2])


def _quotas(pool: PoolPlan) -> dict[str, str]:
    """Nodes times what each has; where the catalog knows no processors or memory, they set no limit."""
    nodes = pool.max_nodes
    node = pool.node
    quotas = {"cpu": _UNLIMITED, "memory": f"{_UNLIMITED}Gi"}
    if pool.vcpus and pool.memory_gb:
        quotas["cpu"] = str(nodes * math.floor(node_capacity.free_cpus(pool.vcpus)))
        quotas["memory"] = f"{nodes * math.floor(node_capacity.free_memory_gb(pool.memory_gb))}Gi"
    if node.accelerator:
        quotas[GPU] = str(nodes * node.accelerator.count)
    if node.tpu:
        quotas[TPU] = str(nodes * node.tpu.chips_per_node)
    return quotas


_UNLIMITED = "1000000"
