"""The ranges that clusters make subnets from."""

from ipaddress import IPv4Network
from typing import NamedTuple

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.google import NetworkedBlueprint
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import existing, node_groups, node_pools
from clusterprint.diagnostic import Label
from clusterprint.rules import _ranges
from clusterprint.rules.fleet._clusters import Cluster
from clusterprint.rules.kit import UNSET, Iterator

# What a GKE cluster takes from `cidr` unless it has a range of its own.
_PARTS = ("node_cidr", "pod_cidr", "service_cidr", "gpu_cidr")


class Made(NamedTuple):
    """A range of a cluster, and the field that it stands in."""

    cluster: Cluster
    network: Part
    cidr: IPv4Network
    field: str

    @property
    def is_written(self) -> bool:
        """Whether the user wrote it, rather than leaving it to a default."""
        return self.cluster.member.context.wrote(self.network, self.field)

    def place(self, text: str = "") -> Label:
        """Where it stands; where it is the default one, the name of the cluster."""
        blueprint, context = self.cluster.member
        if self.is_written:
            return context.at(self.network, self.field, text=text)
        return context.at(blueprint, "name", text=text)


def made(cluster: Cluster) -> tuple[Made, ...]:
    """The ranges that a cluster makes subnets from, if it makes any."""
    blueprint = cluster.member.blueprint
    if not isinstance(blueprint, VmssBlueprint | NetworkedBlueprint):
        return ()
    network: Part = blueprint.network
    read = ((field, _ranges.read(getattr(network, field))) for field in _fields(blueprint))
    return tuple(Made(cluster, network, cidr, field) for field, cidr in read if cidr)


def _fields(blueprint: VmssBlueprint | NetworkedBlueprint) -> Iterator[str]:
    match blueprint:
        case VmBlueprint():
            groups = node_groups.groups(blueprint)
            if blueprint.network.existing is UNSET or any(map(node_groups.more_subnets, groups)):
                yield "cidr"
        case KubernetesBlueprint():
            yield from _of_kubernetes(blueprint)
        case _:
            if blueprint.network.existing is UNSET:
                yield "cidr"


def _of_kubernetes(blueprint: KubernetesBlueprint) -> Iterator[str]:
    network = blueprint.network
    if existing.makes_network(blueprint):
        needed: tuple[str, ...] = _PARTS
    elif any(node_pools.layout(pool).nics > 1 for pool in blueprint.node_pools):
        needed = _PARTS[-1:]
    else:
        return
    own = [field for field in needed if getattr(network, field) is not UNSET]
    yield from own
    if len(own) < len(needed):
        yield "cidr"
