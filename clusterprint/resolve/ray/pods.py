"""Ray's pods: the head beside the system, and workers that each have a node for themselves."""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.blueprint.gke.workloads import Nccl
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Head, Worker
from clusterprint.derived import durations, node_capacity, placement
from clusterprint.derived.volume_mounts import DATA_GROUP
from clusterprint.plan.claims import PodVolumesPlan
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.pools import PoolPlan
from clusterprint.plan.kubernetes import TolerationPlan
from clusterprint.plan.ray.ray import PodFoldersPlan, RayPodPlan, WorkerGroupPlan
from clusterprint.resolve.gke.fabrics import resolve_fabric
from clusterprint.resolve.gke.pod_volumes import resolve_pod_volumes
from clusterprint.resolve.gke.pods import (
    COMPUTE_CLASS,
    SHARED_MEMORY,
    profile_of,
    resolve_tolerations,
    selector_of,
    slice_labels,
)

# What Ray itself does by default.
IDLE_SECONDS = 60

# Ray's own folder is for logs of its processes, too: the operator shares it between the containers of a head.
# In workers it lies on the node's disks with whatever else is temporary, not in a layer over the image.
POD_FOLDERS = PodFoldersPlan(shared_memory=SHARED_MEMORY, logs="/tmp/ray", temporary="/tmp")  # noqa: S108 - in the pod

# Other pods run on every node too: installers of plug-ins, metrics of GPUs, the file system of buckets.
_CPU_SHARE, _CPUS_BESIDE = 0.99, 0.5
_MEMORY_SHARE = 0.97

# Ray's object store lives in /dev/shm, and takes at most 30% of the memory unless told otherwise.
_SHARED_MEMORY_SHARE, _MOST_SHARED_MEMORY_GB = 1 / 3, 250


def resolve_head(head: Head, blueprint: RayBlueprint, cluster: GkeClusterPlan) -> RayPodPlan:
    """The head runs on the system pool, which is always there; in somebody else's cluster, anywhere."""
    system = cluster.system_pool
    return RayPodPlan(
        cpus=head.cpus,
        ray_cpus=head.cpus if head.schedule_work else 0,
        memory_gb=head.memory_gb,
        gpus=0,
        tpus=0,
        shared_memory_gb=_shared_memory(head.memory_gb),
        storage_gb=0,
        node_selector=selector_of(system) if system else {},
        tolerations=resolve_tolerations(system) if system else (),
        fabric=None,
        claim=None,
        volumes=_volumes(head.mounts, blueprint, disks=False),
    )


def resolve_groups(blueprint: RayBlueprint, cluster: GkeClusterPlan) -> tuple[WorkerGroupPlan, ...]:
    """All groups of workers, in the order of the blueprint."""
    return tuple(_group(worker, blueprint, cluster) for worker in blueprint.ray.workers)


def pools_of(worker: Worker, blueprint: RayBlueprint, cluster: GkeClusterPlan) -> tuple[PoolPlan, ...]:
    """The node pools that a group of workers may run on."""
    named = placement.pools_named_by(worker, blueprint.compute_classes)
    if not named:
        return cluster.nodes[:1]
    return tuple(pool for pool in (*cluster.pools, *cluster.nodes) if pool.group in named)


def head_with(head: RayPodPlan, mounts: tuple[VolumeMount, ...], blueprint: RayBlueprint) -> RayPodPlan:
    """The head of a Ray cluster that mounts more volumes than others."""
    both = (*blueprint.ray.head.mounts, *mounts)
    return msgspec.structs.replace(head, volumes=_volumes(both, blueprint, disks=False))


def groups_with(
    groups: tuple[WorkerGroupPlan, ...], mounts: tuple[VolumeMount, ...], blueprint: RayBlueprint
) -> tuple[WorkerGroupPlan, ...]:
    """The workers of a Ray cluster that mount more volumes than others."""
    own = {each.name: each.mounts for each in blueprint.ray.workers}
    return tuple(
        msgspec.structs.replace(
            group,
            pod=msgspec.structs.replace(group.pod, volumes=_volumes((*own[group.name], *mounts), blueprint)),
        )
        for group in groups
    )


def _volumes(
    mounts: tuple[VolumeMount, ...], blueprint: RayBlueprint, *, disks: bool = True
) -> PodVolumesPlan:
    return resolve_pod_volumes(mounts, blueprint, disks=disks, group=DATA_GROUP)


def worker_cpus(vcpus: int) -> int:
    """The cores that a worker has of a node."""
    return max(1, int(node_capacity.free_cpus(vcpus) * _CPU_SHARE - _CPUS_BESIDE))


def worker_memory_gb(memory_gb: float) -> int:
    """The memory that a worker has of a node, in GiB."""
    return max(1, int(node_capacity.free_memory_gb(memory_gb) * _MEMORY_SHARE))


def _group(worker: Worker, blueprint: RayBlueprint, cluster: GkeClusterPlan) -> WorkerGroupPlan:
    pools = pools_of(worker, blueprint, cluster)
    tpu = pools[0].node.tpu
    return WorkerGroupPlan(
        name=worker.name,
        min=worker.min,
        max=worker.max,
        # Of the slice, not of the pool: one that scales begins without nodes.
        hosts=tpu.hosts if tpu else 1,
        idle_seconds=(
            IDLE_SECONDS if worker.idle_timeout is UNSET else durations.seconds(worker.idle_timeout)
        ),
        pod=_pod(worker, pools, blueprint),
    )


def _pod(worker: Worker, pools: Sequence[PoolPlan], blueprint: RayBlueprint) -> RayPodPlan:
    first = pools[0]
    cpus = min(worker_cpus(pool.vcpus) for pool in pools) if worker.cpus is UNSET else worker.cpus
    memory = (
        min(worker_memory_gb(pool.memory_gb) for pool in pools)
        if worker.memory_gb is UNSET
        else worker.memory_gb
    )
    accelerator, tpu = first.node.accelerator, first.node.tpu
    return RayPodPlan(
        cpus=cpus,
        ray_cpus=cpus,
        memory_gb=memory,
        gpus=accelerator.count if accelerator else 0,
        tpus=tpu.chips_per_node if tpu else 0,
        shared_memory_gb=(
            _shared_memory(memory) if worker.shared_memory_gb is UNSET else worker.shared_memory_gb
        ),
        storage_gb=0 if worker.ephemeral_storage_gb is UNSET else worker.ephemeral_storage_gb,
        node_selector=_node_selector(worker, first),
        tolerations=_tolerations(pools),
        fabric=resolve_fabric(first, Nccl()),
        claim=first.claim,
        volumes=_volumes(worker.mounts, blueprint),
    )


def _node_selector(worker: Worker, pool: PoolPlan) -> dict[str, str]:
    # Ray's webhook for TPUs reads the slice from the pod, also where another label finds the pool.
    slices = slice_labels(pool.node.tpu) if pool.node.tpu else {}
    if worker.compute_class is UNSET:
        return {**slices, **selector_of(pool)}
    return {COMPUTE_CLASS: worker.compute_class, **slices, **profile_of(pool)}


def _tolerations(pools: Sequence[PoolPlan]) -> tuple[TolerationPlan, ...]:
    return tuple(dict.fromkeys(each for pool in pools for each in resolve_tolerations(pool)))


def _shared_memory(memory_gb: int) -> int:
    return max(1, min(int(memory_gb * _SHARED_MEMORY_SHARE), _MOST_SHARED_MEMORY_GB))
