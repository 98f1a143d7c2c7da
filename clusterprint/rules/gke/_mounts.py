"""What rules about volumes in pods share."""

from collections.abc import Iterator
from typing import NamedTuple

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volume_mounts
from clusterprint.derived.volume_mounts import Workload
from clusterprint.rules._known import known
from clusterprint.rules.context import Context


class Mounting(NamedTuple):
    """A volume in the pods of a workload."""

    workload: Workload
    mount: VolumeMount
    volume: GoogleVolume


def volume_of(mount: VolumeMount, context: Context[KubernetesBlueprint]) -> GoogleVolume | None:
    """The volume that a mount names; None if there is none, or it cannot be known."""
    named = known(context.blueprint.storage.volumes, lambda each: each.name)
    return next((volume for volume, name in named if name == mount.volume), None)


def all_mounts(context: Context[KubernetesBlueprint]) -> Iterator[Mounting]:
    """The mounts of all workloads, as far as the volumes that they name are there."""
    for workload in volume_mounts.workloads(context.blueprint):
        for mount, _ in known(workload.mounts, lambda each: each.volume):
            volume = volume_of(mount, context)
            if volume is not None:
                yield Mounting(workload, mount, volume)
