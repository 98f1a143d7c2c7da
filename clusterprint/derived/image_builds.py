"""Node images that a cluster of kind vm builds, for resolve and rules."""

from typing import NamedTuple

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_image import NodeImageBuild
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import names, node_groups, node_images, node_settings
from clusterprint.plan.vm_nodes import NodeSettings

# Enough to compile with, and to be had in nearly every zone.
_MACHINES = {"amd64": "n2-standard-8", "arm64": "c4a-standard-8"}
_DISK_GB = 50


class Base(NamedTuple):
    """The image that another one is built on: by its family, or exactly this one."""

    project: str
    family: str
    name: str


def built(blueprint: VmBlueprint) -> tuple[tuple[VmNodes, NodeImageBuild], ...]:
    """The groups that boot from an image of their own, each with what it is built by."""
    groups = node_groups.groups(blueprint)
    return tuple((each, each.image_build) for each in groups if each.image_build is not UNSET)


def family(blueprint: VmBlueprint, group: VmNodes, build: NodeImageBuild) -> str:
    """The name that all images of this build share."""
    if build.family is not UNSET:
        return build.family
    return names.image_family(node_groups.prefix(blueprint, group))


def base(group: VmNodes) -> Base:
    """The name of the base image of a group: the image that the nodes would boot from."""
    if group.image is UNSET:
        default = node_images.default_image(group)
        return Base(default.project, default.family, "")
    named = group.image
    return Base(
        named.project,
        "" if named.family is UNSET else named.family,
        "" if named.name is UNSET else named.name,
    )


def machine_type(group: VmNodes, build: NodeImageBuild) -> str:
    """The machine that builds."""
    return usual_machine(group) if build.machine_type is UNSET else build.machine_type


def usual_machine(group: VmNodes) -> str:
    """A machine with processors like those of the nodes."""
    machine = catalog.machine(group.machine_type)
    return _MACHINES[machine.architecture if machine else "amd64"]


def disk_size_gb(group: VmNodes, build: NodeImageBuild) -> int:
    """The size of the image, which no boot disk is smaller than."""
    return min(_DISK_GB, group.boot_disk.size_gb) if build.disk_size_gb is UNSET else build.disk_size_gb


def zone(blueprint: VmBlueprint, group: VmNodes, build: NodeImageBuild) -> str:
    """Where it is built."""
    return node_groups.zone(blueprint, group) if build.zone is UNSET else build.zone


def settings(blueprint: VmBlueprint, group: VmNodes, build: NodeImageBuild, script: str) -> NodeSettings:
    """The settings of nodes without those that only a node has: data, neighbors, and mostly GPUs."""
    nodes = node_settings.settings(blueprint, group, script)
    machine = catalog.machine(machine_type(group, build))
    on_gpus = build.setup and machine is not None and machine.gpus > 0
    return NodeSettings(
        cluster=nodes.cluster,
        group=nodes.group,
        # Docker is set up for those that the nodes have.
        gpus=nodes.gpus,
        local_ssds=0,
        scratch="",
        mounts=(),
        files_bucket="",
        files_manifest="",
        unlimited_memlock=False,
        driver=nodes.driver if on_gpus else "",
        docker=build.setup and bool(nodes.docker or nodes.container or nodes.ray),
        startup_script=script,
        dcgm=nodes.dcgm and on_gpus,
        mpi=nodes.mpi and build.setup,
        nccl_tests=nodes.nccl_tests and on_gpus,
        notebook_port=nodes.notebook_port if build.setup else 0,
        system=nodes.system,
        updates=nodes.updates,
    )


def packages(blueprint: VmBlueprint, group: VmNodes, build: NodeImageBuild) -> tuple[str, ...]:
    """Lists of packages of others that the nodes need, and whose steps need more than the machine has."""
    nodes = node_settings.settings(blueprint, group, "")
    wanted = {
        "gcsfuse": bool(nodes.mounts),
        "lustre-client": any(each.kind == "lustre" for each in nodes.volumes),
        "nccl-gib": nodes.gpudirect == "roce",
        "ops-agent": nodes.ops_agent,
        "nccl-tests": nodes.nccl_tests,
    }
    return tuple(sorted(name for name, wants in wanted.items() if wants)) if build.setup else ()
