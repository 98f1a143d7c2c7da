"""What the scripts on the machines of a group of `kind: vm` are told: for resolve, and for rules."""

import math
from collections.abc import Iterator

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint, VmNodes
from clusterprint.derived import cooperation, names, node_groups, node_ray, vm_runs
from clusterprint.derived.state import state_root
from clusterprint.plan.vm_end import NoticePlan
from clusterprint.plan.vm_nodes import BucketMount, NodeSettings

# Projects whose images are no ordinary Linux: the scripts would find nothing there that they need.
_UNSUITABLE = {
    "cos-cloud": "Container-Optimized OS",
    "windows-cloud": "Windows",
    "windows-sql-cloud": "Windows",
}

#: What the group of a cluster whose machines are all alike is called on them.
ONLY_GROUP = "nodes"


def unsuitable_system(group: VmNodes) -> str:
    """The operating system of a group, if our scripts do not run on it; else empty."""
    return "" if group.image is UNSET else _UNSUITABLE.get(group.image.project, "")


def local_ssds(group: VmNodes) -> int:
    """How many local SSDs each machine of a group has."""
    machine = catalog.machine(group.machine_type)
    if machine is None or machine.local_ssd.mode == "none":
        return 0
    if machine.local_ssd.mode == "bundled":
        return machine.local_ssd.count
    return 0 if group.local_ssd is UNSET else group.local_ssd.count


def scratch(group: VmNodes) -> str:
    """The folder of a group's scratch disk; empty for none."""
    return group.scratch.mount.rstrip("/") if group.scratch.enabled and local_ssds(group) else ""


def gpus(group: VmNodes) -> int:
    """How many GPUs each machine of a group has; a part of one is one."""
    if group.guest_accelerator is not UNSET:
        return group.guest_accelerator.count
    machine = catalog.machine(group.machine_type)
    return math.ceil(machine.gpus) if machine else 0


def settings(blueprint: VmBlueprint, group: VmNodes, startup_script: str) -> NodeSettings:
    """The facts for the machines of a group; `startup_script` is the text of theirs."""
    copied = vm_runs.has_runs(blueprint) or any(each.destination is not UNSET for each in blueprint.files)
    return NodeSettings(
        cluster=blueprint.name,
        group=node_groups.group_name(group) or ONLY_GROUP,
        gpus=gpus(group),
        local_ssds=local_ssds(group),
        scratch=scratch(group),
        mounts=tuple(_mounts(blueprint)),
        files_bucket=blueprint.backend.gcs.bucket if copied else "",
        files_manifest=names.file_manifest(state_root(blueprint)) if copied else "",
        unlimited_memlock=group.unlimited_memlock,
        driver="" if group.driver is UNSET else str(group.driver),
        docker=group.docker,
        startup_script=startup_script,
        health=cooperation.health(group),
        repair=group.health.repair,
        gpudirect=cooperation.gpudirect(group),
        hosts=cooperation.hosts(blueprint),
        ssh=cooperation.ssh(blueprint),
        end=end_notice(blueprint),
        dcgm=group.dcgm,
        mpi=cooperation.has_mpi(blueprint),
        nccl_tests=blueprint.benchmark.nccl is not UNSET and vm_runs.runs_on(blueprint, group),
        ray=node_ray.ray(blueprint, group),
    )


def end_notice(blueprint: VmBlueprint) -> NoticePlan | None:
    """Where the nodes of a cluster with a time to live read when it ends."""
    if blueprint.time_to_live is UNSET:
        return None
    return NoticePlan(bucket=blueprint.backend.gcs.bucket, object=names.end_notice(state_root(blueprint)))


def _mounts(blueprint: VmBlueprint) -> Iterator[BucketMount]:
    for bucket in blueprint.storage.buckets:
        if bucket.mount is not UNSET:
            yield BucketMount(
                bucket=bucket.name,
                mount=bucket.mount.rstrip("/"),
                read_only=bucket.access == "read_only",
                profile="" if bucket.profile is UNSET else bucket.profile,
            )
