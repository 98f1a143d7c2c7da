"""Settings for the scripts on machines of a group of `kind: vm`, for resolve and rules."""

import math
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Literal

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.blueprint.volumes import VmVolume
from clusterprint.derived import (
    cooperation,
    durations,
    node_groups,
    node_ray,
    node_slurm,
    node_system,
    state_names,
    updates,
    vm_runs,
    volumes,
)
from clusterprint.derived.node_containers import container_of
from clusterprint.derived.state import state_root
from clusterprint.plan.vm_end import NoticePlan
from clusterprint.plan.vm_nodes import (
    BucketMount,
    ContainerPlan,
    IdlePlan,
    MountKind,
    NodeSettings,
    ReceivePlan,
    System,
    VolumeMount,
)

#: What the scratch disk's folder is by default, by operating system.
SCRATCH: dict[System, str] = {"linux": "/mnt/scratch", "cos": "/mnt/disks/scratch"}

_RESTART: dict[str, Literal["always", "on-failure", "no"]] = {
    "always": "always",
    "on_failure": "on-failure",
    "never": "no",
}


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
    if not group.scratch.enabled or not local_ssds(group):
        return ""
    return (
        SCRATCH[node_system.system(group)]
        if group.scratch.mount is UNSET
        else group.scratch.mount.rstrip("/")
    )


def gpus(group: VmNodes) -> int:
    """How many GPUs each machine of a group has; a part of one is one."""
    if group.guest_accelerator is not UNSET:
        return group.guest_accelerator.count
    machine = catalog.machine(group.machine_type)
    return math.ceil(machine.gpus) if machine else 0


def settings(blueprint: VmBlueprint, group: VmNodes, startup_script: str) -> NodeSettings:
    """The facts for the machines of a group; `startup_script` is the text of theirs."""
    packages = node_system.takes_packages(group)
    copied = vm_runs.has_runs(blueprint) or any(each.destination is not UNSET for each in blueprint.files)
    return NodeSettings(
        cluster=blueprint.name,
        group=node_groups.name_on_nodes(group),
        gpus=gpus(group),
        local_ssds=local_ssds(group),
        scratch=scratch(group),
        mounts=tuple(_mounts(blueprint)),
        volumes=tuple(_volumes(blueprint)),
        files_bucket=blueprint.backend.gcs.bucket if copied else "",
        files_manifest=state_names.file_manifest(state_root(blueprint)) if copied else "",
        unlimited_memlock=group.unlimited_memlock,
        driver="" if group.driver is UNSET else str(group.driver),
        docker=group.docker,
        startup_script=startup_script,
        confidential_gpus=group.confidential is not UNSET and gpus(group) > 0,
        health=cooperation.health(group),
        gpudirect=cooperation.gpudirect(group),
        hosts=packages and cooperation.hosts(blueprint),
        ssh=packages and cooperation.ssh(blueprint),
        end=end_notice(blueprint) if packages else None,
        dcgm=group.dcgm,
        ops_agent=packages and blueprint.monitoring.ops_agent,
        mpi=packages and cooperation.has_mpi(blueprint),
        nccl_tests=blueprint.benchmark.nccl is not UNSET and vm_runs.runs_on(blueprint, group),
        ray=node_ray.ray(blueprint, group),
        slurm=node_slurm.slurm(blueprint) if packages else None,
        idle=idle(group),
        notebook_port=notebook_port(blueprint, group),
        system=node_system.system(group),
        receive=_receive(group),
        updates=updates.resolve_updates(blueprint.updates),
        rdma=_rdma(group) if packages else {},
        container=_container(blueprint, group),
    )


def _container(blueprint: VmBlueprint, group: VmNodes) -> ContainerPlan | None:
    container = container_of(blueprint, group)
    if container is UNSET:
        return None
    return ContainerPlan(
        image=container.image,
        args=container.args,
        env=container.env,
        ports=container.ports,
        gpus=gpus(group) > 0 if container.gpus is UNSET else container.gpus,
        restart=_RESTART[container.restart],
    )


def idle(group: VmNodes) -> IdlePlan | None:
    """When nobody uses a node of a group any more; None where nobody watches."""
    if group.idle is UNSET:
        return None
    return IdlePlan(seconds=durations.seconds(group.idle.after), stops=node_groups.stops_idle(group))


def _receive(group: VmNodes) -> ReceivePlan | None:
    """The network settings of pods on GKE, as far as they do not depend on Kubernetes."""
    kind = cooperation.gpudirect(group)
    fabric = catalog.fabrics()[kind] if kind else None
    if fabric is None or fabric.daemon is None:
        return None
    entrypoint, arguments = fabric.daemon.command[:1], fabric.daemon.command[1:]
    return ReceivePlan(
        plugin=catalog.component(f"nccl-{kind}").image,
        daemon=catalog.component(f"nccl-{kind}-daemon").image,
        entrypoint="".join(entrypoint),
        arguments=arguments or fabric.daemon.arguments,
        capabilities=fabric.capabilities,
        # Where the libraries are is another place than in pods.
        environment={key: value for key, value in fabric.environment.items() if key.startswith("NCCL_")},
        profile=PurePosixPath(fabric.profile.script).name if fabric.profile else "",
    )


def _rdma(group: VmNodes) -> dict[str, str]:
    """How programs of MPI come to the RDMA interface of machines without GPUs: through libfabric."""
    machine = catalog.machine(group.machine_type)
    if machine is None or machine.network.rdma_nic != "IRDMA":
        return {}
    found = catalog.fabric_of(machine.network)
    return found[1].environment if found else {}


def notebook_port(blueprint: VmBlueprint, group: VmNodes) -> int:
    """Where JupyterLab listens on the nodes of a group; 0 where they have none."""
    asked = blueprint.notebook
    if asked is UNSET or not has_notebook(blueprint, group) or not node_system.takes_packages(group):
        return 0
    return asked.port


def has_notebook(blueprint: VmBlueprint, group: VmNodes) -> bool:
    """Whether JupyterLab is asked for on the nodes of a group."""
    asked = blueprint.notebook
    return asked is not UNSET and asked.group in (UNSET, node_groups.group_name(group))


def end_notice(blueprint: VmBlueprint) -> NoticePlan | None:
    """Where the nodes of a cluster with a time to live read when it ends."""
    if blueprint.time_to_live is UNSET:
        return None
    return NoticePlan(
        bucket=blueprint.backend.gcs.bucket, object=state_names.end_notice(state_root(blueprint))
    )


def _mounts(blueprint: VmBlueprint) -> Iterator[BucketMount]:
    for volume, folder in volumes.bucket_mounts(blueprint.storage):
        yield BucketMount(
            # Random digits are known only once the bucket is there: then metadata say the name of the bucket.
            bucket=f"@{volume.name}"
            if volumes.has_random_suffix(volume)
            else volumes.bucket_name(blueprint.name, volume),
            mount=folder,
            read_only=volume.access == "read_only",
            profile="" if volume.profile is UNSET else volume.profile,
            options=volume.mount_options,
        )


def _mount_kind(volume: VmVolume) -> MountKind:
    if volume.kind in ("disk", "lustre", "parallelstore"):
        return volume.kind
    return "nfs4" if volume.protocol == "nfs_v4_1" else "nfs3"


def _volumes(blueprint: VmBlueprint) -> Iterator[VolumeMount]:
    for volume, folder in volumes.mounts(blueprint.storage):
        yield VolumeMount(
            name=volume.name,
            kind=_mount_kind(volume),
            mount=folder,
            read_only=volume.access == "read_only",
            fresh=volume.create,
        )
