from itertools import combinations

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.gke._cluster_ranges import cuts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE063", severity=Severity.ERROR, source="Google Cloud VPC: IPv4 subnet ranges", firm=True)
def ranges_of_cluster_overlap(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """Two ranges of the cluster overlap.

    Nodes, pods, services and GPU networks need addresses of their own; Google refuses the second range, or
    packets are misrouted.

    Change one of them. Ranges that are not given are parts of `cidr`.
    """
    made = [cut for cut in cuts(blueprint, context) if cut.network]
    for one, other in combinations(made, 2):
        if not (one.written or other.written) or not one.network or not other.network:
            continue
        if one.network.overlaps(other.network):
            first, second = (one, other) if other.written else (other, one)
            yield Finding(
                f"{second.network} for {second.purpose} overlaps {first.network} for {first.purpose}",
                second.place,
                also=(first.place._replace(text=f"{first.purpose} are here"),),
                help="choose a range that does not overlap the others",
            )
