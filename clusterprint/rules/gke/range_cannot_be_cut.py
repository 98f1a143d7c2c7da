from collections.abc import Iterator

from clusterprint import cluster_ranges, ranges
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.gke._cuts import Cut, cuts, needs_gpu_networks
from clusterprint.rules.google._words import listed
from clusterprint.rules.rule import Finding, rule

_LONGEST_OF_SERVICES = 27
_LONGEST = _LONGEST_OF_SERVICES - 3
_LONGEST_WITH_GPUS = ranges.LONGEST_PREFIX - 2 - (cluster_ranges.GPU_PARTS - 1).bit_length()


@rule("GKE062", severity=Severity.ERROR, source="Google Cloud VPC: IPv4 subnet ranges", firm=True)
def range_cannot_be_cut(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """The range of the cluster is too small to be cut into all that it is for.

    Half of it is for pods, a quarter for GPU networks, an eighth each for nodes and services, and Google
    makes no subnet smaller than a /29 and no range for services smaller than a /27.

    Use a larger range (a smaller number after the slash).
    """
    small = [cut for cut in cuts(blueprint, context) if not cut.written and _too_small(cut)]
    purposes = listed([cut.purpose for cut in small], "and")
    for cut in small[:1]:
        yield Finding(
            f"{blueprint.network.cidr} is too small for ranges for {purposes}",
            cut.place,
            help=f"use a /{_LONGEST_WITH_GPUS if needs_gpu_networks(blueprint) else _LONGEST} or larger",
        )


def _too_small(cut: Cut) -> bool:
    if cut.network is None:
        return True
    if cut.purpose == "services":
        return cut.network.prefixlen > _LONGEST_OF_SERVICES
    if cut.purpose == "GPU networks":
        return cut.network.prefixlen + (cluster_ranges.GPU_PARTS - 1).bit_length() > ranges.LONGEST_PREFIX
    return False
