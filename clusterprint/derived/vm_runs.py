"""Programs that run over the nodes of `kind: vm`: on which of them, and where results go."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.content import FileCopy
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_bootstrap import Together
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.blueprint.volumes import VmVolume
from clusterprint.derived import node_groups, volumes

#: The name of the benchmark, as programs have names.
NCCL = "nccl"


class Store(NamedTuple):
    """A volume that is a bucket, and what the bucket is called."""

    part: VmVolume
    bucket: str


def runs(blueprint: VmBlueprint) -> tuple[Together, ...]:
    """All that runs once over several nodes, in the order in which it runs."""
    mpi = blueprint.bootstrap.mpi
    found = (blueprint.benchmark.nccl, UNSET if mpi is UNSET else mpi.run)
    return tuple(each for each in found if each is not UNSET)


def has_runs(blueprint: VmBlueprint) -> bool:
    """Whether anything runs over several nodes."""
    return bool(runs(blueprint))


def group_of(blueprint: VmBlueprint, run: Together) -> VmNodes | None:
    """The group that something runs on; None if that is not clear."""
    groups = node_groups.groups(blueprint)
    if run.group is UNSET:
        return groups[0] if len(groups) == 1 else None
    return next((each for each in groups if node_groups.group_name(each) == run.group), None)


def runs_on(blueprint: VmBlueprint, group: VmNodes) -> bool:
    """Whether the benchmark runs on this group."""
    benchmark = blueprint.benchmark.nccl
    return benchmark is not UNSET and group_of(blueprint, benchmark) is group


def bucket_of(blueprint: VmBlueprint, run: Together) -> str | None:
    """The bucket that gets the results; None if there is none that nodes may write to."""
    writable = (each for each in stores(blueprint) if each.part.access == "read_write")
    if run.bucket is UNSET:
        return next((each.bucket for each in writable), None)
    return next((each.bucket for each in writable if run.bucket in (each.part.name, each.bucket)), None)


def stores(blueprint: VmBlueprint) -> Iterator[Store]:
    """Buckets that results could go to, if nodes may write there.

    A bucket whose name ends in random digits has none before it is made; one in a zone takes no results.
    """
    for volume in volumes.buckets(blueprint.storage):
        if not (volumes.has_random_suffix(volume) or volumes.is_rapid(volume)):
            yield Store(volume, volumes.bucket_name(blueprint.name, volume))


def files(blueprint: VmBlueprint) -> tuple[FileCopy, ...]:
    """All files that nodes get: those of the cluster, and those of the program that runs on it."""
    mpi = blueprint.bootstrap.mpi
    run = UNSET if mpi is UNSET else mpi.run
    return (*blueprint.files, *(() if run is UNSET else run.files))
