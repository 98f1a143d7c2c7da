"""Kueue: what each pool can hold, as quotas."""

import math

from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.derived import node_capacity
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.pools import PoolPlan
from clusterprint.plan.gke.queues import FlavorPlan, LocalQueuePlan, ProvisioningPlan, QueuesPlan
from clusterprint.resolve.gke.charts import resolve_chart
from clusterprint.resolve.gke.pods import POOL_LABEL, resolve_tolerations

# Since this version.
_V1BETA2 = (0, 15)

# What GKE puts on nodes that came for a request, and where the request says which.
_GRANT_LABEL = "autoscaling.gke.io/provisioning-request"
_GRANT = "ResizeRequestName"

GPU = "nvidia.com/gpu"
TPU = "google.com/tpu"


def resolve_queues(kueue: Kueue, cluster: GkeClusterPlan) -> QueuesPlan:
    """One flavor for each pool of the blueprint; what it has none of, it has a quota of 0 of."""
    chart = resolve_chart("kueue", kueue)
    groups: dict[str, list[PoolPlan]] = {}
    for pool in cluster.pools:
        groups.setdefault(pool.group, []).append(pool)
    quotas = {name: _quotas(pools) for name, pools in groups.items()}
    resources = tuple(
        each for each in ("cpu", "memory", GPU, TPU) if any(each in quota for quota in quotas.values())
    )
    return QueuesPlan(
        chart=chart,
        api_version="v1beta2" if _version(chart.version) >= _V1BETA2 else "v1beta1",
        cluster_queue=kueue.cluster_queue,
        resources=resources,
        flavors=tuple(
            FlavorPlan(
                name=name,
                labels=_labels(pools),
                tolerations=resolve_tolerations(pools[0]),
                quotas={each: quotas[name].get(each, "0") for each in resources},
            )
            for name, pools in groups.items()
        ),
        provisioning=tuple(
            ProvisioningPlan(
                name=f"provisioning-{name}",
                flavor=name,
                resources=tuple(each for each in (GPU, TPU) if each in quotas[name]),
                max_run_seconds=pools[0].node.capacity.max_run_seconds,
                node_label=_GRANT_LABEL,
                node_label_value=_GRANT,
            )
            for name, pools in groups.items()
            if pools[0].node.capacity.queued
        ),
        local_queues=tuple(
            LocalQueuePlan(name=each.name, namespace=each.namespace) for each in kueue.local_queues
        ),
    )


def _labels(pools: list[PoolPlan]) -> dict[str, str]:
    """What the nodes of a flavor have in common: several TPU slices are several pools of GKE."""
    first = pools[0]
    if len(pools) == 1 or first.node.tpu is None:
        return {POOL_LABEL: first.key}
    return {
        "cloud.google.com/gke-tpu-accelerator": first.node.tpu.accelerator,
        "cloud.google.com/gke-tpu-topology": first.node.tpu.topology,
    }


def _version(version: str) -> tuple[int, ...]:
    """The first two numbers of a version."""
    return tuple(int(number) for number in version.removeprefix("v").split(".")[:2])


def _quotas(pools: list[PoolPlan]) -> dict[str, str]:
    """Nodes times what each has; where the catalog knows no processors or memory, they set no limit."""
    nodes = sum(pool.max_nodes for pool in pools)
    pool = pools[0]
    quotas = {"cpu": _UNLIMITED, "memory": f"{_UNLIMITED}Gi"}
    if pool.vcpus and pool.memory_gb:
        quotas["cpu"] = str(nodes * math.floor(node_capacity.free_cpus(pool.vcpus)))
        quotas["memory"] = f"{nodes * math.floor(node_capacity.free_memory_gb(pool.memory_gb))}Gi"
    if pool.node.accelerator:
        quotas[GPU] = str(nodes * pool.node.accelerator.count)
    if pool.node.tpu:
        quotas[TPU] = str(nodes * pool.node.tpu.chips_per_node)
    return quotas


_UNLIMITED = "1000000"
