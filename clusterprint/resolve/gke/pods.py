"""Placement of pods: the nodes of a pool, and tolerations of its taints."""

from collections.abc import Sequence
from typing import Literal

from clusterprint.derived import node_capacity
from clusterprint.derived.node_pools import SLICES_LABEL
from clusterprint.plan.gke.pools import PoolPlan, TpuPlan
from clusterprint.plan.kubernetes import TolerationPlan
from clusterprint.resolve.gke.device_claims import PROFILE_LABEL

COMPUTE_CLASS = "cloud.google.com/compute-class"
POOL_LABEL = "cloud.google.com/gke-nodepool"

GPU = "nvidia.com/gpu"
TPU = "google.com/tpu"

# Where programs look for memory that they share: in the pod, so nobody else's.
SHARED_MEMORY = "/dev/shm"  # noqa: S108

Effect = Literal["", "NoSchedule", "PreferNoSchedule", "NoExecute"]
_EFFECTS: dict[str, Effect] = {
    "NO_SCHEDULE": "NoSchedule",
    "PREFER_NO_SCHEDULE": "PreferNoSchedule",
    "NO_EXECUTE": "NoExecute",
}


def resolve_tolerations(pool: PoolPlan) -> tuple[TolerationPlan, ...]:
    """Tolerations of pods on a pool: its taints, and the one that GKE adds to queued nodes."""
    found = tuple(
        TolerationPlan(key=each.key, value=each.value, effect=_EFFECTS[each.effect])
        for each in pool.node.taints
    )
    if not pool.node.capacity.queued:
        return found
    return (*found, TolerationPlan(key="cloud.google.com/gke-queued", value="", effect="NoSchedule"))


def resolve_class(name: str, pools: Sequence[PoolPlan]) -> tuple[dict[str, str], tuple[TolerationPlan, ...]]:
    """The labels of nodes of a compute class, and what pods must put up with on all of its pools."""
    tolerations = dict.fromkeys(each for pool in pools for each in resolve_tolerations(pool))
    return {COMPUTE_CLASS: name, **profile_of(pools[0])}, tuple(tolerations)


def selector_of(pool: PoolPlan) -> dict[str, str]:
    """The labels by which pods find the nodes of a pool, and no others.

    Several TPU slices, and generations of a rolled pool, are several pools of GKE, which a label of ours has
    in common. Type and topology go with that of slices: programs read them from the pod, and they alone would
    also find pools of other capacity.
    """
    if pool.selector is not None:
        return pool.selector
    tpu = pool.node.tpu
    if pool.key == pool.group:
        return {POOL_LABEL: pool.key, **profile_of(pool)}
    return {**(slice_labels(tpu) if tpu else {}), SLICES_LABEL: pool.group, **profile_of(pool)}


def slice_labels(tpu: TpuPlan) -> dict[str, str]:
    """The labels that GKE puts on nodes of a TPU slice."""
    return {
        "cloud.google.com/gke-tpu-accelerator": tpu.accelerator,
        "cloud.google.com/gke-tpu-topology": tpu.topology,
    }


def whole_node(pools: Sequence[PoolPlan]) -> int:
    """The vCPUs that a pod requests to have a node of any of the pools for itself.

    0 where accelerators do that, or where the size of the nodes is not known.
    """
    if any(pool.node.accelerator or pool.node.tpu for pool in pools):
        return 0
    return min(node_capacity.whole_cpus(pool.vcpus) for pool in pools)


def profile_of(pool: PoolPlan) -> dict[str, str]:
    """The label that pods must select nodes by if GKE makes the networks of these."""
    return {PROFILE_LABEL: pool.network_profile} if pool.network_profile else {}
