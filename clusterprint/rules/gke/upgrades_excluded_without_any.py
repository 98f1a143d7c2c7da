from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GKE273",
    severity=Severity.ERROR,
    source="Google Cloud: maintenance windows and exclusions in GKE",
)
def upgrades_excluded_without_any(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """Upgrades are excluded for a pool that has none.

    Outside of the release channels nodes are not upgraded, and flex-start nodes never are: GKE replaces them
    when their time is up.

    Remove `exclude_until_end_of_support`.
    """
    if not pool.upgrades.exclude_until_end_of_support:
        return
    cluster = context.blueprint.cluster
    if pool.capacity.model == "flex_start":
        why, other = (
            "flex-start nodes are never upgraded",
            context.at(pool.capacity, "model", text="the capacity model"),
        )
    elif cluster.release_channel == "none":
        why = "the cluster is in no release channel"
        other = context.at(cluster, "release_channel", text="no channel")
    else:
        return
    yield Finding(
        f"pool {pool.name} has no upgrades to exclude: {why}",
        context.at(pool.upgrades, "exclude_until_end_of_support"),
        also=(other,),
        help="remove exclude_until_end_of_support",
    )
