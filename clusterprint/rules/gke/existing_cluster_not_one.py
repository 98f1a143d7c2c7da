from clusterprint.blueprint.gke.existing import ExistingCluster
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule

_OF_GKE = ("name", "location", "project", "dns_endpoint")


@rule("GKE290", severity=Severity.ERROR, source="clusterprint: existing clusters", firm=True)
def existing_cluster_not_one(existing: ExistingCluster, context: Context) -> Iterator[Finding]:
    """It is not clear which existing cluster is meant.

    A GKE cluster has a name and a location; any other one is found by a kubectl context. With both, one would
    contradict the other.

    Write `name` and `location`, or `context`.
    """
    if given(existing.context):
        for field in _OF_GKE:
            if context.wrote(existing, field):
                yield Finding(
                    f"existing.{field} is for GKE clusters, and cannot be combined with context",
                    context.at_key(existing, field),
                    also=(context.at(existing, "context", text="the context"),),
                    help=f"remove {field}, or context",
                )
        return
    missing = [field for field in ("name", "location") if not given(getattr(existing, field))]
    if missing:
        yield Finding(
            f"the existing cluster has no {' and no '.join(missing)}",
            context.at_key(existing),
            help="write name and location of a GKE cluster, or the kubectl context of any other",
        )
