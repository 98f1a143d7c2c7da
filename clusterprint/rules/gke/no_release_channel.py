from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE457", severity=Severity.WARNING, source="Google Cloud: GKE release notes for no channel")
def no_release_channel(cluster: Cluster, context: Context) -> Iterator[Finding]:
    """The cluster is in no release channel, which Google is about to remove.

    New customers can no longer create or update such clusters. Those that are left are enrolled in the stable
    channel when the option is removed, and upgraded then.

    Choose a channel, and exclude upgrades of nodes until the version is no longer supported.
    """
    if cluster.release_channel != "none" or given(cluster.existing):
        return
    until = catalog.gke_channels().no_channel_until
    yield Finding(
        f"release_channel none is deprecated: new customers cannot use it, and Google removes it on {until}",
        context.at(cluster, "release_channel"),
        help="remove release_channel; maintenance.exclusions with until_end_of_support: true keeps nodes",
    )
