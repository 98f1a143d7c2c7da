from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.rules.gke._versions import version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule(
    "GKE456", severity=Severity.WARNING, source="Google Cloud: GKE release notes, table of current versions"
)
def version_outside_channel(cluster: Cluster, context: Context) -> Iterator[Finding]:
    """The release channel may not offer the version to new clusters.

    Each channel offers a few minor versions, which move on every few months. GKE refuses to create a cluster
    in a version that is not there any more, or not yet. A cluster that exists keeps its version.

    Write a version that the channel offers, or leave it out for the channel's default.
    """
    version = version_of(cluster)
    if version is None or given(cluster.existing):
        return
    channels = catalog.gke_channels()
    oldest, newest = channels.minors[cluster.release_channel]
    if oldest <= version.minor <= newest:
        return
    wide = channels.minors["extended"]
    other = wide[0] <= version.minor <= wide[1]
    better = newest if version.minor > newest else oldest
    yield Finding(
        f"release channel {cluster.release_channel} offered new clusters 1.{oldest} to 1.{newest} when last "
        f"seen ({channels.date}), not {cluster.version}",
        context.at(cluster, "version"),
        help=f"write version: 1.{better}, or leave it out for the default"
        + (", or write release_channel: extended" if other else ""),
    )
