from collections.abc import Hashable
from pathlib import PurePosixPath
from typing import NamedTuple

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.blueprint.ray.jobs import RayJob, RayService
from clusterprint.blueprint.volumes import GoogleVolume, KubernetesVolume
from clusterprint.derived import volume_mounts
from clusterprint.derived.volume_mounts import Workload
from clusterprint.diagnostic import Label
from clusterprint.rules import _folders
from clusterprint.rules._groups import also, and_more, by_cause
from clusterprint.rules.gke._mounts import again, all_mounts, volume_of
from clusterprint.rules.kit import Context, Finding, Iterable, Iterator, Severity, given, known, rule


@rule("GKE201", severity=Severity.ERROR, firm=True)
def mount_without_path(
    _blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    paths = known(all_mounts(context), lambda each: volume_mounts.path(each.mount, each.volume))
    nowhere = [mounting for mounting, path in paths if not given(path)]
    for first, *rest in by_cause(nowhere, lambda each: each.volume.name):
        yield Finding(
            f"volume {first.volume.name} is mounted, but no path is given",
            context.at(first.mount, "volume"),
            also=(
                context.at(first.volume, "name", text="this volume"),
                *again([each.mount for each in rest], context),
            ),
            help=f"add `path` {'to each of them' if rest else 'here'}, or `mount` to the volume",
        )


@rule("GKE202", severity=Severity.ERROR, firm=True)
def write_to_read_only_volume(
    _blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    accesses = known(all_mounts(context), lambda each: (each.mount.access, each.volume.access))
    refused = [mounting for mounting, access in accesses if access == ("read_write", "read_only")]
    for first, *rest in by_cause(refused, lambda each: each.volume.name):
        here = f"remove access {'from each of them' if rest else 'here'}"
        yield Finding(
            f"volume {first.volume.name} cannot be written to",
            context.at(first.mount, "access"),
            also=(
                context.at(first.volume, "access", text="it is read-only"),
                *again([each.mount for each in rest], context, "access"),
            ),
            help=here if first.volume.kind == "disk" else f"{here}, or access: read_only from the volume",
        )


# Ray's own processes keep their logs and sockets there.
_RAY = PurePosixPath("/tmp/ray")  # noqa: S108 - in the pod


@rule("GKE203", severity=Severity.ERROR)
def mount_on_folder_in_use(
    part: VolumeMount | KubernetesVolume, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    volume: GoogleVolume | None
    if isinstance(part, VolumeMount):
        volume, field, path = volume_of(part, context), "path", part.path
    else:
        volume, field, path = part, "mount", part.mount
    if volume is None or not given(path):
        return
    path = path.rstrip("/") or "/"
    is_ray = context.blueprint.kind == "ray" and PurePosixPath(path).is_relative_to(_RAY)
    # System folders that a volume names itself are looked at in every kind of cluster.
    if is_ray or (field == "path" and _folders.mount_hides_system(path)):
        whose = "which Ray needs" if is_ray else "which containers need"
        yield Finding(
            f"volume {volume.name} is mounted on {path}, {whose}",
            context.at(part, field),
            help=f"mount it on a folder of its own, for example /mnt/{volume.name}",
        )


@rule("GKE204", severity=Severity.ERROR, firm=True)
def mounts_in_one_place(
    blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    for first, *rest in by_cause(_all_overlaps(blueprint, context), _cause):
        how = (
            "where something else is"
            if first.path == first.other_path
            else f"inside, or around, {first.other_path}"
        )
        others = {id(each.workload.part) for each in rest} - {id(first.workload.part)}
        yield Finding(
            f"{and_more(first.workload.noun, len(others))} {'mount' if others else 'mounts'} volume "
            f"{first.mount.volume} on {first.path}, {how}",
            _place(first.mount, context),
            also=(
                _place(first.other, context, f"volume {first.other.volume}"),
                *also([_place(each.mount, context, "and here") for each in rest]),
            ),
            help="mount the volumes side by side, for example on /mnt/a and /mnt/b",
        )


class _Overlap(NamedTuple):
    """A mount of a workload, and what else its pods mount in the way of it."""

    workload: Workload
    mount: VolumeMount
    path: PurePosixPath
    other: VolumeMount
    other_path: PurePosixPath


def _cause(found: _Overlap) -> Hashable:
    """The paths that two volumes have themselves; else a mount that is in the way, also of several jobs."""
    mount, other = found.mount, found.other
    if not given(mount.path) and not given(other.path):
        return frozenset((mount.volume, other.volume))
    return id(other), mount.volume, found.path


def _all_overlaps(
    blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[_Overlap]:
    found = list(volume_mounts.workloads(blueprint))
    shared = [each for each in found if not isinstance(each.part, RayJob | RayService)]
    for workload in found:
        around = shared if isinstance(workload.part, RayJob | RayService) else []
        yield from _overlaps(workload, around, context)


def _overlaps(
    workload: Workload,
    around: Iterable[Workload],
    context: Context[KubernetesBlueprint],
) -> Iterator[_Overlap]:
    """The conflicts among the mounts of a workload; pods of `around` have them besides their own."""
    taken: list[tuple[PurePosixPath, VolumeMount]] = []
    shared = [(path, mount) for other in around for mount, path in _paths(other.mounts, context)]
    for mount, path in _paths(workload.mounts, context):
        others = (*taken, *(each for each in shared if not _is_again((path, mount), each, context)))
        other_path, other = next((each for each in others if _meet(path, each[0])), (path, None))
        if other is not None:
            yield _Overlap(workload, mount, path, other, other_path)
        taken.append((path, mount))


def _is_again(
    here: tuple[PurePosixPath, VolumeMount],
    there: tuple[PurePosixPath, VolumeMount],
    context: Context[KubernetesBlueprint],
) -> bool:
    """Whether pods would mount the same volume at the same place, with the same rights."""
    (path, mount), (other_path, other) = here, there
    volume = volume_of(mount, context)
    if path != other_path or mount.volume != other.volume or volume is None:
        return False
    return volume_mounts.reads_only(mount, volume) == volume_mounts.reads_only(other, volume)


def _paths(
    mounts: Iterable[VolumeMount], context: Context[KubernetesBlueprint]
) -> Iterator[tuple[VolumeMount, PurePosixPath]]:
    for mount, volume in known(mounts, lambda each: volume_of(each, context)):
        path = volume_mounts.path(mount, volume) if volume is not None else None
        if isinstance(path, str):
            yield mount, PurePosixPath(path or "/")


def _meet(one: PurePosixPath, other: PurePosixPath) -> bool:
    return one.is_relative_to(other) or other.is_relative_to(one)


def _place(mount: VolumeMount, context: Context[KubernetesBlueprint], text: str = "") -> Label:
    return context.at(mount, "path" if given(mount.path) else "volume", text=text)
