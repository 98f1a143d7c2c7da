"""The volumes of pods: which claims, at which paths, and what drivers have to know."""

from collections.abc import Collection, Iterable

from msgspec import UNSET

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import names, volume_mounts, volumes
from clusterprint.errors import InternalError
from clusterprint.plan.claims import PodMountPlan, PodVolumePlan, PodVolumesPlan
from clusterprint.resolve.gke.bucket_options import CACHED

# The file system runs in a container of its own, without limits: it caches as much as the node has room for.
FUSE_ANNOTATIONS = {
    "gke-gcsfuse/volumes": "true",
    "gke-gcsfuse/cpu-limit": "0",
    "gke-gcsfuse/memory-limit": "0",
    "gke-gcsfuse/ephemeral-storage-limit": "0",
}

# Without these, the container that reads the names of all objects has 250 MiB; earlier drivers ignore them.
_PREFETCH_ANNOTATIONS = {
    "gke-gcsfuse/metadata-prefetch-cpu-limit": "0",
    "gke-gcsfuse/metadata-prefetch-memory-limit": "0",
}

# So does the client of Parallelstore, within the limits that its driver gives it.
_PARALLELSTORE_ANNOTATIONS = {"gke-parallelstore/volumes": "true"}


def resolve_pod_volumes(
    mounts: Iterable[VolumeMount], blueprint: KubernetesBlueprint, *, disks: bool = True, group: int = 0
) -> PodVolumesPlan:
    """The mounts of a pod, none without `disks`; `group` may write to file systems."""
    found = [
        (mount, volume) for mount in mounts if (volume := _volume(mount, blueprint)).kind != "disk" or disks
    ]
    by_name = {volume.name: volume for _, volume in found}
    # Cloud Storage FUSE knows no owners, and shows everything to everybody.
    owned = any(each.kind != "bucket" and not volume_mounts.reads_only(mount, each) for mount, each in found)
    return PodVolumesPlan(
        volumes=tuple(_pod_volume(each, blueprint) for each in by_name.values()),
        # A job of Ray may say once more what head and workers mount.
        mounts=tuple(
            dict.fromkeys(
                PodMountPlan(
                    key=_key(volume),
                    path=_path(mount, volume),
                    read_only=volume_mounts.reads_only(mount, volume),
                )
                for mount, volume in found
            )
        ),
        annotations=_annotations(by_name.values()),
        group_id=group if owned else 0,
    )


def seen(volumes: PodVolumesPlan) -> list[list[str | bool]]:
    """A checksum of the volumes in a pod, for the name of a run; our releases do not change it."""
    behind = {each.key: (each.claim, each.storage_class, each.size) for each in volumes.volumes}
    return [[each.path, each.read_only, *behind[each.key]] for each in volumes.mounts]


def _annotations(mounted: Collection[GoogleVolume]) -> dict[str, str]:
    """By what pods ask for containers beside them that mount volumes, and read ahead what these hold."""
    kinds = {each.kind for each in mounted}
    found = dict(FUSE_ANNOTATIONS) if "bucket" in kinds else {}
    if any(each.kind == "bucket" and each.profile in CACHED for each in mounted):
        found |= _PREFETCH_ANNOTATIONS
    return found | (_PARALLELSTORE_ANNOTATIONS if "parallelstore" in kinds else {})


def _pod_volume(volume: GoogleVolume, blueprint: KubernetesBlueprint) -> PodVolumePlan:
    own = volumes.is_own_disk(volume)
    return PodVolumePlan(
        key=_key(volume),
        claim="" if own else volume.name,
        read_only=volume.access == "read_only",
        storage_class=names.storage_class(blueprint.name, volume.name) if own else "",
        size=f"{volumes.size_gib(volume)}Gi" if own else "",
    )


def _key(volume: GoogleVolume) -> str:
    """Pods have other volumes, too, which are called otherwise."""
    return f"volume-{volume.name}"


def _path(mount: VolumeMount, volume: GoogleVolume) -> str:
    found = volume_mounts.path(mount, volume)
    if found is UNSET:
        raise InternalError(f"volume {volume.name} passed validation, but is mounted nowhere")
    return found


def _volume(mount: VolumeMount, blueprint: KubernetesBlueprint) -> GoogleVolume:
    found = volume_mounts.find(blueprint, mount)
    if found is None:
        raise InternalError(f"volume {mount.volume} passed validation, but there is none")
    return found
