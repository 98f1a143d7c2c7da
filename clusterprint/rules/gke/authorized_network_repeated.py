from collections.abc import Iterator

from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.diagnostic import Severity
from clusterprint.rules import _ranges
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE071", severity=Severity.WARNING, source="Google Cloud: customize network isolation in GKE")
def authorized_network_repeated(cluster: Cluster, context: Context) -> Iterator[Finding]:
    """A range that may talk to the control plane is listed twice, or lies inside another one.

    It does nothing, and removing it would close nothing, which is surprising when it matters.

    Keep the one that is meant.
    """
    written = known(cluster.authorized_networks, lambda each: each.cidr)
    readable = [(each, cidr) for each, text in written if (cidr := _ranges.read(text))]
    for one, another in _ranges.repeated([cidr for _, cidr in readable]):
        (each, cidr), (other, around) = readable[one], readable[another]
        same = cidr == around
        yield Finding(
            f"{cidr} is listed twice" if same else f"{cidr} lies inside {around}",
            context.at(each, "cidr"),
            also=(context.at(other, "cidr", text="first listed here" if same else "contains it"),),
            help="keep the one that is meant",
        )
