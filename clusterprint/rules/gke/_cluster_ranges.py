"""The ranges that a GKE cluster is made of: those that were written, and those cut from the one for all."""

from collections.abc import Callable
from ipaddress import IPv4Network
from typing import NamedTuple

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import cluster_ranges, existing, gateways, node_pools
from clusterprint.diagnostic import Label
from clusterprint.rules import _ranges
from clusterprint.rules.kit import UNSET, Context, Iterator, known

_CUTS: dict[str, tuple[str, Callable[[IPv4Network], IPv4Network]]] = {
    "pod_cidr": ("pods", cluster_ranges.pods),
    "gpu_cidr": ("GPU networks", cluster_ranges.gpus),
    "node_cidr": ("nodes", cluster_ranges.nodes),
    "service_cidr": ("services", cluster_ranges.services),
}


class Cut(NamedTuple):
    """A range, what it is for, and where it was decided; `network` is None if there is no room for it."""

    purpose: str
    network: IPv4Network | None
    written: bool
    place: Label


def cuts(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Cut]:
    """All ranges that the cluster makes, but those whose numbers are wrong (other rules say so)."""
    network = blueprint.network
    if not existing.makes_network(blueprint):
        return
    whole = _ranges.read(network.cidr)
    for field, purpose, cut in _parts(blueprint):
        text = getattr(network, field)
        if text is not UNSET:
            read = _ranges.read(text)
            if read:
                yield Cut(purpose, read, written=True, place=context.at(network, field))
        elif whole:
            yield Cut(purpose, _cut(cut, whole), written=False, place=context.at(network, "cidr"))


def _parts(blueprint: KubernetesBlueprint) -> Iterator[tuple[str, str, Callable[[IPv4Network], IPv4Network]]]:
    """The ranges that are cut, by field; those for GPUs only if they are needed."""
    for field, (purpose, cut) in _CUTS.items():
        if field != "gpu_cidr" or needs_gpu_networks(blueprint):
            yield field, purpose, cut
        elif gateways.makes_proxies(blueprint):
            yield field, "proxies of load balancers", _proxies


def _proxies(cidr: IPv4Network) -> IPv4Network:
    return cluster_ranges.gpu_subnet(cluster_ranges.gpus(cidr), cluster_ranges.PROXIES)


def needs_gpu_networks(blueprint: KubernetesBlueprint) -> bool:
    """Whether a pool is connected to networks for its GPUs."""
    layouts = known(blueprint.node_pools, node_pools.layout)
    return any(layout.nics > 1 for _, layout in layouts)


def _cut(cut: Callable[[IPv4Network], IPv4Network], whole: IPv4Network) -> IPv4Network | None:
    try:
        return cut(whole)
    except ValueError:
        return None
