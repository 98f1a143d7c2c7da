"""The machines of `kind: vm`: what they start from and what is set up on them, alone or in groups."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.container import EXAMPLE, Container
from clusterprint.blueprint.content import Script
from clusterprint.blueprint.machine_disks import Image, VmBootDisk
from clusterprint.blueprint.machines import MachineGroup, VmCapacity, VmPlacement
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import (
    Excludes,
    Forbids,
    InRegion,
    Needs,
    Refuses,
    Relation,
    Unique,
    follows,
    unless,
    when,
    written,
)
from clusterprint.blueprint.texts import Duration, NodePath, Zone, choice, looks_like
from clusterprint.blueprint.updates import MachineUpdate, UpdateOrStrategy
from clusterprint.blueprint.vm_cluster import Health
from clusterprint.blueprint.vm_image import NodeImageBuild

GroupName = Annotated[
    str,
    looks_like(
        "^[a-z]([-a-z0-9]{0,13}[a-z0-9])?$",
        "the name of a group of nodes: 1 to 15 lower-case letters, digits and hyphens, starting with a "
        "letter and not ending with a hyphen",
        "compute",
    ),
]


class ShieldedVm(Part, frozen=True, kw_only=True):
    """Protection of the boot sequence; with all of it off, the image need not boot by UEFI."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("VM007", when("vtpm", False), when("integrity_monitoring")),
    )

    secure_boot: Annotated[
        bool,
        Meta(
            description="Load only signed boot components, which excludes unsigned kernel modules such "
            "as many GPU drivers."
        ),
    ] = False
    vtpm: Annotated[bool, Meta(description="A virtual trusted platform module.")] = True
    integrity_monitoring: Annotated[bool, Meta(description="Compare each boot with the first one.")] = True


class Scratch(Part, frozen=True, kw_only=True):
    """The local SSDs of a machine, put together as one disk; it is empty again when a machine was stopped."""

    enabled: Annotated[
        bool, Meta(description="Combine them into one disk. With false, they are left as blank disks.")
    ] = True
    mount: Annotated[
        NodePath | UnsetType,
        Meta(
            description="Mount point of the disk. Left out: /mnt/scratch, or /mnt/disks/scratch on "
            "Container-Optimized OS.",
            examples=["/mnt/scratch"],
        ),
    ] = UNSET


class Idle(Part, frozen=True, kw_only=True):
    """Nodes whose GPUs nobody uses."""

    relations: ClassVar[tuple[Relation, ...]] = (Refuses("VM252", "after", "outside", ("10m", "30d")),)

    after: Annotated[
        Duration, Meta(description="The nodes are idle after so long without any use.", examples=["2h"])
    ] = "2h"
    action: Annotated[
        Literal["report", "stop"],
        choice(
            values={
                "report": "`clusterprint status` shows idle nodes.",
                "stop": "The nodes of the group are also stopped once all of them are idle.",
            },
            description="The consequence.",
        ),
    ] = "report"


_GPUS = follows("node_groups.shows_gpus", "machine_type")
_NO_PACKAGES = follows("node_system.takes_packages", "image.project", False)


class VmNodes(MachineGroup, frozen=True, kw_only=True):
    """The machines of the cluster."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("VM141", when("/time_to_live"), when("capacity.model", "flex_start")),
        Excludes("VM147", when("/wait"), when("capacity.model", "flex_start")),
        Excludes("VM160", unless("update.strategy", "opportunistic"), when("capacity.model", "flex_start")),
        Excludes("VM161", when("repair", True), when("capacity.model", "flex_start"), words="repair"),
        Excludes("VM161", when("boot_disk.keep", True), when("capacity.model", "flex_start"), words="disks"),
        Excludes("VM161", when("keep_public_ip"), when("capacity.model", "flex_start"), words="addresses"),
        Needs("VM244", when("keep_public_ip"), when("public_ip"), instead=""),
        Excludes(
            "VM006",
            when("shielded_vm.secure_boot"),
            _GPUS,
            (follows("node_system.has_signed_driver", "image", False),),
        ),
        Refuses(
            "VM020",
            "boot_disk.size_gb",
            "outside",
            (50, ""),
            (when("image.project", "deeplearning-platform-release"),),
        ),
        Excludes(
            "VM102",
            when("gpudirect"),
            follows("node_system.lacks_apt", "image.project"),
            (follows("cooperation.has_roce", "machine_type"),),
        ),
        *(
            Excludes("VM105", when("health.repair"), other, words=words)
            for words, other in (
                ("flex_start", when("capacity.model", "flex_start")),
                ("repair", when("repair", False)),
                ("disks", when("boot_disk.keep", True)),
                ("checks", when("health.enabled", False)),
            )
        ),
        Excludes("VM112", when("dcgm"), follows("node_groups.shows_gpus", "machine_type", False), instead=""),
        Excludes("VM253", written("idle"), follows("node_groups.shows_gpus", "machine_type", False)),
        *(
            Excludes("VM254", setting, other, words=words)
            for words, setting, other in (
                ("ssds", when("idle.action", "stop"), follows("node_settings.local_ssds", "machine_type")),
                ("flex_start", when("idle.action", "stop"), when("capacity.model", "flex_start")),
                ("ray", when("idle"), when("/bootstrap.ray")),
            )
        ),
        Excludes("VM254", when("image"), when("idle"), (_NO_PACKAGES,), words="image"),
        Excludes(
            "VM142",
            when("/time_to_live_action", "stop"),
            follows("node_settings.local_ssds", "machine_type"),
            (when("/time_to_live"),),
        ),
        Excludes(
            "VM260",
            unless("extra_networks", 0),
            follows("node_groups.has_own_networks", "machine_type"),
            words="own",
        ),
        Excludes(
            "VM260",
            unless("extra_networks", 0),
            follows("node_groups.lacks_interfaces", "machine_type"),
            words="lacks",
        ),
        Refuses("VM001", "machine_type", "tpu"),
        Refuses("GCP017", "machine_type", "not_built"),
        *(
            Needs(
                "VM089",
                written("scratch"),
                follows("node_settings.local_ssds", "machine_type"),
                (when("scratch.enabled"), follows("machine.local_ssd.mode", "machine_type", *modes)),
                words=words,
            )
            for words, modes in (("needs", ("none", "bundled")), ("optional", ("optional",)))
        ),
        Excludes(
            "VM104",
            when("image.project"),
            follows("cooperation.has_roce", "machine_type"),
            (
                when("gpudirect", UNSET),
                follows("node_system.takes_packages", "image"),
                follows("cooperation.gpudirect", "machine_type", ""),
            ),
        ),
        Excludes("VM162", when("boot_disk.keep", True), unless("update.strategy", "opportunistic")),
        Forbids("VM251", when("update.wait")),
        Excludes(
            "VM183",
            when("machine_type"),
            when("/bootstrap.ray.autostop"),
            (when("/bootstrap.ray.autostop"), follows("node_groups.restarts", "repair")),
        ),
        Excludes("VM187", when("image_build"), _NO_PACKAGES, (when("image"),)),
        Excludes(
            "VM212",
            when("capacity.calendar"),
            follows("node_groups.takes_calendar", "machine_type", False),
            (when("capacity.model", "reservation"),),
        ),
        Excludes("VM243", when("image"), when("/updates.mode", "security"), (_NO_PACKAGES,)),
        Excludes("VM241", when("image"), when("confidential"), (_GPUS, _NO_PACKAGES)),
    )

    capacity: Annotated[VmCapacity, Meta(description="How the machines are obtained and billed.")] = (
        VmCapacity()
    )
    count: Annotated[
        int, Meta(ge=0, le=1000, description="Number of nodes. 0 keeps everything except the nodes.")
    ] = 1
    boot_disk: Annotated[VmBootDisk, Meta(description="Boot disk of each machine.")] = VmBootDisk()
    placement: Annotated[VmPlacement, Meta(description="How close together the nodes are placed.")] = (
        VmPlacement()
    )
    repair: Annotated[
        bool | UnsetType,
        Meta(
            description="Restart or recreate a node that stops or fails, even if it was preempted or stopped "
            "manually, for as long as it takes. Left out: true, except for flex_start, where capacity is "
            "granted only once.",
            examples=[False],
        ),
    ] = UNSET
    image: Annotated[
        Image | UnsetType,
        Meta(
            description="Image of the boot disks. Left out: Ubuntu, with the NVIDIA driver for GPUs.",
            examples=[{"project": "my-images", "family": "training"}],
        ),
    ] = UNSET
    image_build: Annotated[
        NodeImageBuild | UnsetType,
        Meta(
            description="Build an image from `image` (or its default), and boot the nodes from it. Left out: "
            "they boot from `image` itself.",
            examples=[{"script": {"inline": "#!/bin/bash\napt-get install --yes hwloc\n"}}],
        ),
    ] = UNSET
    extra_networks: Annotated[
        int,
        Meta(
            ge=0,
            le=7,
            description="Number of VPC networks to create besides the primary one. Nodes have an interface "
            "in each, and reach only each other there. For machines without GPU networks of their own.",
            examples=[1],
        ),
    ] = 0
    public_ip: Annotated[
        bool,
        Meta(
            description="Give each node a public address. With false, nodes reach the internet through NAT."
        ),
    ] = False
    keep_public_ip: Annotated[
        bool,
        Meta(
            description="Let a node keep its public address when it is recreated. Each then counts as a "
            "static address of the region's quota."
        ),
    ] = False
    os_login: Annotated[
        bool,
        Meta(description="Let IAM decide who can log in (OS Login), instead of SSH keys in metadata."),
    ] = True
    shielded_vm: Annotated[ShieldedVm, Meta(description="Protection of the boot sequence.")] = ShieldedVm()
    scratch: Annotated[
        Scratch, Meta(description="Local SSDs combined into one fast disk, on machines that have them.")
    ] = Scratch()
    driver: Annotated[
        int | UnsetType,
        Meta(
            ge=500,
            le=999,
            description="Branch of the NVIDIA driver to install on plain Ubuntu and on Container-Optimized "
            "OS, which come without one. Left out: none is installed; the default image has its driver.",
            examples=[580],
        ),
    ] = UNSET
    docker: Annotated[
        bool,
        Meta(
            description="Install Docker, with the NVIDIA container toolkit on machines with GPUs. Its "
            "data is on the scratch disk if there is one."
        ),
    ] = False
    health: Annotated[
        Health, Meta(description="Health checks of the nodes, and what follows from a failure.")
    ] = Health()
    idle: Annotated[
        Idle | UnsetType,
        Meta(
            description="Watch how long nobody uses the GPUs of the nodes. Left out: nothing is watched.",
            examples=[{"after": "2h", "action": "report"}],
        ),
    ] = UNSET
    gpudirect: Annotated[
        bool | UnsetType,
        Meta(
            description="Install GPUDirect for NCCL: Google's RoCE plug-in on A3 Ultra, A4 and A4X; on "
            "Container-Optimized OS, GPUDirect-TCPX on A3 High and -TCPXO on A3 Mega. Left out: true on "
            "these machines, for RoCE with images of Ubuntu or Debian, and on Container-Optimized OS with a "
            "`driver`.",
            examples=[False],
        ),
    ] = UNSET
    dcgm: Annotated[
        bool,
        Meta(
            description="Install NVIDIA's Data Center GPU Manager (DCGM), with the command `dcgmi` and "
            "GPU metrics for agents."
        ),
    ] = False
    unlimited_memlock: Annotated[
        bool,
        Meta(
            description="Let programs pin memory without limit and open 1,048,576 files, as RDMA and MPI "
            "need."
        ),
    ] = True
    update: Annotated[
        UpdateOrStrategy,
        Meta(
            description="How changes (image, script, disk) reach running nodes. A boot disk that is kept "
            "(`boot_disk.keep`) never changes its image or size.",
            examples=[{"strategy": "roll", "batch": "20%"}],
        ),
    ] = MachineUpdate(strategy="opportunistic")


class NodeGroup(VmNodes, frozen=True, kw_only=True):
    """A group of identical machines, one of several in the cluster."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("VM163", when("zones"), when("zone")),
        *(InRegion("VM081", field) for field in ("zones", "zone")),
        Unique(
            "VM164",
            "zones",
            "zone {item} is listed twice",
            key=(),
            help="list it once",
        ),
    )

    name: Annotated[
        GroupName,
        Meta(description="Name of the group, unique in the cluster, and prefix of the names of its nodes."),
    ]
    zone: Annotated[
        Zone | UnsetType,
        Meta(description="Zone of these nodes, in the region. Left out: the cluster's zone."),
    ] = UNSET
    zones: Annotated[
        tuple[Zone, ...],
        Meta(
            description="Zones of these nodes, assigned round-robin: node 0 is in the first, node 1 in "
            "the second, and so on. For machines that need not be close to each other. Alternative to "
            "`zone`.",
            examples=[["us-central1-a", "us-central1-b"]],
        ),
    ] = ()
    startup_script: Annotated[
        Script | UnsetType,
        Meta(description="Script that runs as root on every boot of these nodes, instead of the cluster's."),
    ] = UNSET
    container: Annotated[
        Container | UnsetType,
        Meta(
            description="Container of these nodes, instead of the cluster's.", examples=[{"image": EXAMPLE}]
        ),
    ] = UNSET
