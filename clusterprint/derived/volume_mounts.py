"""Which workloads of a Kubernetes cluster mount which volumes; drivers, accounts and permissions follow.

A workload names a volume, never a claim. Storage is in the stack of the cluster, where it is protected;
inside, each namespace has a volume and a claim that name each other and contain no data of their own. One
machine only can write to a disk, so a disk that pods write to is a storage class, with a disk per pod.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec import UNSET, UnsetType

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint, is_ray
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.blueprint.gke.slurm import ClusterSlurm
from clusterprint.blueprint.ray.jobs import RayJob, RayService
from clusterprint.blueprint.ray.ray import Head, Worker
from clusterprint.blueprint.storage_classes import FileClass, StorageClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import cluster_slurm, names, node_pools, pod_groups, volumes

#: Which add-on of the cluster mounts volumes of a kind.
DRIVERS = {
    "bucket": "gcs_fuse",
    "filestore": "filestore",
    "lustre": "lustre",
    "parallelstore": "parallelstore",
    "disk": "persistent_disk",
}

#: What pods that work on data are members of, where their image has no user of its own choice.
DATA_GROUP = 1000

Job = MpiJob | PodGroup
Part = Job | ClusterSlurm | Head | Worker | RayJob | RayService


class Workload(NamedTuple):
    """A workload that can mount volumes: its part of the blueprint, and where its pods are.

    Nothing of it is read before somebody asks: a rule that meets a mistake can still look at the others.
    """

    part: Part
    namespace: str
    blueprint: KubernetesBlueprint

    @property
    def mounts(self) -> tuple[VolumeMount, ...]:
        """The mounted volume."""
        return self.part.mounts

    @property
    def noun(self) -> str:
        """The name of the mount in a message."""
        if isinstance(self.part, Head):
            return "the head"
        if isinstance(self.part, ClusterSlurm):
            return "Slurm"
        if isinstance(self.part, PodGroup):
            return f"{self.part.noun} {self.part.name}"
        return f"{_NOUNS[type(self.part)]} {self.part.name}"

    @property
    def account(self) -> str:
        """Who its pods are."""
        if isinstance(self.part, MpiJob | PodGroup):
            return account_of(self.part, self.blueprint) or "default"
        if isinstance(self.part, ClusterSlurm):
            return slurm_account(self.part, self.blueprint) or "default"
        return names.RAY_ACCOUNT


_NOUNS: dict[type[Part], str] = {
    MpiJob: "MPI job",
    Worker: "worker group",
    RayJob: "job",
    RayService: "service",
}


def workloads(blueprint: KubernetesBlueprint) -> Iterator[Workload]:
    """All workloads that the blueprint describes, in its order."""
    if isinstance(blueprint, GkeBlueprint):
        yield from _mpi_jobs(blueprint)
        yield from _pod_groups(blueprint)
        if blueprint.workloads.slurm is not UNSET:
            yield Workload(blueprint.workloads.slurm, cluster_slurm.NAMESPACE, blueprint)
    elif is_ray(blueprint):
        ray = blueprint.ray
        parts: tuple[Part, ...] = (ray.head, *ray.workers, *ray.jobs, *ray.services)
        for part in parts:
            yield Workload(part, ray.namespace, blueprint)


def _mpi_jobs(blueprint: GkeBlueprint) -> Iterator[Workload]:
    mpi = blueprint.workloads.mpi
    if mpi is not UNSET:
        for job in mpi.jobs:
            yield Workload(job, mpi.namespace, blueprint)


def _pod_groups(blueprint: GkeBlueprint) -> Iterator[Workload]:
    for group in pod_groups.every(blueprint.workloads):
        yield Workload(group, group.namespace, blueprint)


def account_of(job: Job, blueprint: KubernetesBlueprint) -> str:
    """Who the pods of a job are: who is named, or who may use the buckets that they mount; or nobody."""
    if job.service_account is not UNSET:
        return job.service_account
    return names.VOLUMES_ACCOUNT if any(mounted(job.mounts, blueprint, "bucket")) else ""


def slurm_account(slurm: ClusterSlurm, blueprint: KubernetesBlueprint) -> str:
    """Who the pods of Slurm are: who may use the buckets that they mount; or nobody."""
    return names.VOLUMES_ACCOUNT if any(mounted(slurm.mounts, blueprint, "bucket")) else ""


def mounted(
    mounts: tuple[VolumeMount, ...], blueprint: KubernetesBlueprint, kind: str
) -> Iterator[tuple[VolumeMount, GoogleVolume]]:
    """The mounts of volumes of one kind, with the volumes."""
    for mount in mounts:
        volume = find(blueprint, mount)
        if volume is not None and volume.kind == kind:
            yield mount, volume


def find(blueprint: KubernetesBlueprint, mount: VolumeMount) -> GoogleVolume | None:
    """The volume that a mount names; None if there is none."""
    return next((each for each in blueprint.storage.volumes if each.name == mount.volume), None)


def path(mount: VolumeMount, volume: GoogleVolume) -> str | UnsetType:
    """The folder in the containers: the mount's, or the volume's; UNSET if neither says one."""
    found = getattr(volume, "mount", UNSET) if mount.path is UNSET else mount.path
    return found if found is UNSET else found.rstrip("/")


def reads_only(mount: VolumeMount, volume: GoogleVolume) -> bool:
    """Whether the containers may not write."""
    return (volume.access if mount.access is UNSET else mount.access) == "read_only"


def claimed(blueprint: KubernetesBlueprint) -> Iterator[GoogleVolume]:
    """The volumes that are there before any pod, and that pods find by a claim."""
    return (each for each in blueprint.storage.volumes if not volumes.is_own_disk(each))


def namespaces(blueprint: KubernetesBlueprint) -> tuple[str, ...]:
    """Where claims are: in all namespaces that a blueprint speaks of; if there is none, in `default`."""
    found = {each.namespace for each in blueprint.workload_identity}
    if is_ray(blueprint):
        found.add(blueprint.ray.namespace)
    if isinstance(blueprint, GkeBlueprint):
        mpi, kueue = blueprint.workloads.mpi, blueprint.workloads.kueue
        found |= {each.namespace for each in pod_groups.every(blueprint.workloads)}
        found |= set() if mpi is UNSET else {mpi.namespace}
        slurm = blueprint.workloads.slurm
        found |= {cluster_slurm.NAMESPACE} if slurm is not UNSET and slurm.mounts else set()
        found |= set() if kueue is UNSET else {each.namespace for each in kueue.local_queues}
    return tuple(sorted(found or {"default"}))


def bucket_users(
    blueprint: KubernetesBlueprint,
) -> dict[tuple[str, str], dict[str, Literal["read_write", "read_only"]]]:
    """The access of each account, by namespace and name, to the buckets of volumes.

    In each namespace with claims one account may use them all; those that workloads name themselves, what
    these mount.
    """
    buckets = [each for each in blueprint.storage.volumes if each.kind == "bucket"]
    shared = {volumes.bucket_name(blueprint.name, each): each.access for each in buckets}
    found = {(where, account_in(where, blueprint)): dict(shared) for where in namespaces(blueprint) if shared}
    for workload in workloads(blueprint):
        rights = found.setdefault((workload.namespace, workload.account), {})
        for mount, volume in mounted(workload.mounts, blueprint, "bucket"):
            name = volumes.bucket_name(blueprint.name, volume)
            if rights.get(name) != "read_write":
                rights[name] = "read_only" if reads_only(mount, volume) else "read_write"
    return {account: rights for account, rights in found.items() if rights}


def account_in(namespace: str, blueprint: KubernetesBlueprint) -> str:
    """Who may use all buckets among the volumes, in a namespace: Ray's pods, or an account for that."""
    in_ray = is_ray(blueprint) and namespace == blueprint.ray.namespace
    return names.RAY_ACCOUNT if in_ray else names.VOLUMES_ACCOUNT


def uses_driver(blueprint: KubernetesBlueprint, addon: str) -> bool:
    """Whether some volume, or some storage class, needs an add-on of the cluster."""
    kinds: set[str] = {each.kind for each in blueprint.storage.volumes}
    kinds |= {class_kind(each) for each in classes(blueprint)}
    return any(DRIVERS.get(each) == addon for each in kinds)


def classes(blueprint: KubernetesBlueprint) -> tuple[StorageClass, ...]:
    """The storage classes that a blueprint describes, whatever is claimed by them."""
    return (*blueprint.storage.disk_classes, *blueprint.storage.file_classes)


def class_kind(made: StorageClass) -> Literal["disk", "filestore", "lustre"]:
    """The kind of volume that claims of a class get."""
    return made.kind if isinstance(made, FileClass) else "disk"


def zone(volume: GoogleVolume, blueprint: KubernetesBlueprint) -> str:
    """Where a volume of one zone is."""
    return node_pools.default_zone(blueprint) if volume.zone is UNSET else volume.zone


def disk_name(cluster: str, volume: GoogleVolume) -> str:
    """The disk that all nodes read."""
    return names.volume(cluster, volume.name) if volume.disk is UNSET else volume.disk
