"""Helpers of rules about volumes in pods."""

from collections.abc import Sequence
from typing import NamedTuple

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volume_mounts
from clusterprint.derived.volume_mounts import Workload
from clusterprint.diagnostic import Label
from clusterprint.rules._groups import also
from clusterprint.rules.kit import Context, Iterator, known


class Mounting(NamedTuple):
    """A volume in the pods of a workload."""

    workload: Workload
    mount: VolumeMount
    volume: GoogleVolume


def volume_of(mount: VolumeMount, context: Context[KubernetesBlueprint]) -> GoogleVolume | None:
    """The volume that a mount names; None if there is none, or it cannot be known."""
    named = known(context.blueprint.storage.volumes, lambda each: each.name)
    return next((volume for volume, name in named if name == mount.volume), None)


def named_mounts(context: Context[KubernetesBlueprint]) -> Iterator[tuple[Workload, VolumeMount, str]]:
    """The mounts of all workloads, with the names of the volumes, which may not be there."""
    for workload, (mounts,) in known(volume_mounts.workloads(context.blueprint), lambda each: (each.mounts,)):
        for mount, name in known(mounts, lambda each: each.volume):
            yield workload, mount, name


def all_mounts(context: Context[KubernetesBlueprint]) -> Iterator[Mounting]:
    """The mounts of all workloads, as far as the volumes that they name are there."""
    for workload, mount, _ in named_mounts(context):
        volume = volume_of(mount, context)
        if volume is not None:
            yield Mounting(workload, mount, volume)


def again(rest: Sequence[VolumeMount], context: Context, field: str = "volume") -> tuple[Label, ...]:
    """Other mounts with the same cause, as places of one finding."""
    return also([context.at(each, field, text="and here") for each in rest])
