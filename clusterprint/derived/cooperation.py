"""Whether the nodes of `kind: vm` are examined, know of each other and may go to each other.

What a blueprint leaves open is only turned on where it works for certain: what is on by default must not keep
a node from becoming ready.
"""

from collections.abc import Callable
from functools import wraps

from msgspec import UNSET, UnsetType

from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_groups, node_images, node_system
from clusterprint.plan.vm_nodes import Gpudirect, HealthPlan

#: What nodes may do in the project to find each other.
PERMISSIONS = ("compute.instances.getGuestAttributes", "compute.instances.list")
#: What they may do besides to stop and start each other: their groups do it, with rights of their own.
POWER_PERMISSIONS = ("compute.instanceGroupManagers.update", "compute.instances.get")

# Projects of images that have the packages of Debian and Ubuntu.
_WITH_APT = frozenset(
    {
        "debian-cloud",
        "deeplearning-platform-release",
        "ml-images",
        "ubuntu-os-accelerator-images",
        "ubuntu-os-cloud",
        "ubuntu-os-pro-cloud",
    }
)

# Projects of images whose packages are installed by dnf.
_WITH_DNF = frozenset(
    {
        "centos-cloud",
        "cloud-hpc-image-public",
        "rhel-cloud",
        "rocky-linux-accelerator-cloud",
        "rocky-linux-cloud",
    }
)

#: Projects of the images that distributions publish.
PUBLIC_PROJECTS = _WITH_APT | _WITH_DNF | {node_system.COS_PROJECT}

# What the table of machines calls it, and what the scripts do, where Google's daemon receives for GPUs.
_RECEIVED: dict[str, Gpudirect] = {"TCPX": "tcpx", "TCPXO": "tcpxo"}


def may_install(blueprint: VmBlueprint, group: VmNodes) -> bool:
    """Whether the nodes of a group reach the internet, as far as the blueprint says."""
    return blueprint.network.nat or blueprint.network.existing is not UNSET or group.public_ip


def _once(ask: Callable[[VmBlueprint], bool]) -> Callable[[VmBlueprint], bool]:
    """Answer the same question about the same blueprint once: each of its groups asks."""
    last: list[tuple[VmBlueprint, bool]] = []

    @wraps(ask)
    def answer(blueprint: VmBlueprint) -> bool:
        for asked, said in last:
            if asked is blueprint:
                return said
        last[:] = [(blueprint, found := ask(blueprint))]
        return found

    return answer


@_once
def hosts(blueprint: VmBlueprint) -> bool:
    """Whether nodes keep lists of all nodes."""
    said = blueprint.cluster.hosts
    if said is not UNSET:
        return said
    if ssh(blueprint):
        return True
    # The number of nodes plays no part: a second node must change nothing about the first.
    groups = node_groups.groups(blueprint)
    reached = all(may_install(blueprint, each) and _is_known(each) for each in groups)
    return reached and blueprint.service_account.email is UNSET


def ssh(blueprint: VmBlueprint) -> bool:
    """Whether users of one node may go to any other."""
    return _or(blueprint.cluster.ssh, has_mpi(blueprint) or has_slurm(blueprint))


def has_mpi(blueprint: VmBlueprint) -> bool:
    """Whether nodes have MPI, with which programs run over several of them."""
    return blueprint.bootstrap.mpi is not UNSET or blueprint.benchmark.nccl is not UNSET


def has_slurm(blueprint: VmBlueprint) -> bool:
    """Whether nodes have Slurm, whose key goes from one to the others by SSH."""
    return blueprint.bootstrap.slurm is not UNSET


def saves_power(blueprint: VmBlueprint) -> bool:
    """Whether the controller of Slurm stops nodes that have nothing to do, and starts them."""
    slurm = blueprint.bootstrap.slurm
    return slurm is not UNSET and slurm.power_saving is not UNSET


def stops_idle(blueprint: VmBlueprint) -> bool:
    """Whether nodes stop their groups when nobody uses them."""
    return any(map(node_groups.stops_idle, node_groups.groups(blueprint)))


def permissions(blueprint: VmBlueprint) -> tuple[str, ...]:
    """The permissions of the nodes' account in the project."""
    stops = saves_power(blueprint) or stops_idle(blueprint)
    return tuple(sorted((*PERMISSIONS, *(POWER_PERMISSIONS if stops else ()))))


def needs_role(blueprint: VmBlueprint) -> bool:
    """Whether nodes ask Compute Engine about each other."""
    return hosts(blueprint) or ssh(blueprint) or stops_idle(blueprint)


def has_roce(group: VmNodes) -> bool:
    """Whether the GPUs of a group's machines reach those of others by RoCE, through what we attach."""
    machine = catalog.machine(group.machine_type)
    return (
        machine is not None and machine.network.gpudirect == "RDMA-RoCE" and machine.network.rdma_subnets > 0
    )


def has_receiver(group: VmNodes) -> bool:
    """Whether a daemon receives for the GPUs of a group's machines, where it is set up."""
    machine = catalog.machine(group.machine_type)
    return machine is not None and machine.network.gpudirect in _RECEIVED


def gpudirect(group: VmNodes) -> Gpudirect:
    """How NCCL of a group's machines goes past the host, as far as the scripts set it up; empty for not.

    The daemon that receives is for Container-Optimized OS. It needs the driver, so nothing is set up where
    that comes from somebody else.
    """
    if node_system.system(group) == "cos":
        machine = catalog.machine(group.machine_type)
        if machine is None or group.driver is UNSET or not _or(group.gpudirect, True):
            return ""
        return _RECEIVED.get(machine.network.gpudirect, "")
    if not has_roce(group):
        return ""
    return "roce" if _or(group.gpudirect, _takes_packages(group)) else ""


def _is_known(group: VmNodes) -> bool:
    """Whether the image of a group is one on which what hosts need can be installed for certain."""
    return _takes_packages(group) or node_images.project(group) in _WITH_DNF


def _takes_packages(group: VmNodes) -> bool:
    return node_images.project(group) in _WITH_APT


def health(group: VmNodes) -> HealthPlan | None:
    """The devices that the machines of a group should have, if they are examined."""
    # A driver that the start-up script installs comes after the examination.
    known = (group.image is UNSET or group.driver is not UNSET) and node_system.takes_packages(group)
    default = group.health.repair or (node_groups.has_gpus(group) and known)
    if not _or(group.health.enabled, default):
        return None
    machine = catalog.machine(group.machine_type)
    layout = machine.network if machine else None
    return HealthPlan(
        interfaces=1 + (layout.extra_vpcs if layout else 0),
        rdma_interfaces=layout.rdma_subnets if layout else 0,
    )


def _or(said: bool | UnsetType, default: bool) -> bool:  # noqa: FBT001 - what is said, or else
    return default if said is UNSET else said
