from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import cluster_ranges, ranges
from clusterprint.rules.gke._cluster_ranges import Cut, cuts, needs_gpu_networks
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, listed, rule

_LONGEST_OF = {
    "services": 27,
    "GPU networks": ranges.LONGEST_PREFIX - (cluster_ranges.GPU_PARTS - 1).bit_length(),
}

# An eighth of the whole is for services, a quarter for GPU networks.
_LONGEST = _LONGEST_OF["services"] - 3
_LONGEST_WITH_GPUS = _LONGEST_OF["GPU networks"] - 2


@rule("GKE062", severity=Severity.ERROR, source="Google Cloud VPC: IPv4 subnet ranges", firm=True)
def range_cannot_be_cut(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """A range of the cluster is too small to be divided.

    Half of `cidr` is for pods, a quarter for GPU networks, an eighth each for nodes and services. What is for
    GPU networks is divided again into 32. Google allows no subnet smaller than a /29, and no range for
    services smaller than a /27.

    Use a larger range (a smaller number after the slash).
    """
    small = [cut for cut in cuts(blueprint, context) if _too_small(cut)]
    whole = [cut for cut in small if not cut.written]
    purposes = listed([cut.purpose for cut in whole], "and")
    for cut in whole[:1]:
        yield Finding(
            f"{blueprint.network.cidr} is too small for ranges for {purposes}",
            cut.place,
            help=f"use a /{_LONGEST_WITH_GPUS if needs_gpu_networks(blueprint) else _LONGEST} or larger",
        )
    for cut in small:
        if cut.written:
            longest = _LONGEST_OF[cut.purpose]
            yield Finding(
                f"{cut.network} is too small for {cut.purpose}", cut.place, help=f"use a /{longest} or larger"
            )


def _too_small(cut: Cut) -> bool:
    """Whether nothing can be made from it; how many nodes and pods have room in it, other rules say."""
    if cut.network is None:
        return True
    return cut.network.prefixlen > _LONGEST_OF.get(cut.purpose, cut.network.prefixlen)
