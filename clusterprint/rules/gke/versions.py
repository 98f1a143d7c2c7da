from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.monitoring import ClusterAlerts
from clusterprint.derived import cluster_pages
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.gke._versions import blocked_pools, help_text, version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE167", severity=Severity.ERROR)
def version_blocked_for_machines(
    cluster: Cluster, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    version = version_of(cluster)
    if version is None:
        return
    for pool, back in blocked_pools(context, version):
        yield Finding(
            f"GKE refuses pools of {pool.machine_type} in version {cluster.version}",
            context.at(cluster, "version"),
            also=(machine_label(pool, context),),
            help=help_text(back, cluster, context),
        )


@rule("GKE456", severity=Severity.WARNING)
def version_outside_channel(cluster: Cluster, context: Context) -> Iterator[Finding]:
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


@rule("GKE452", severity=Severity.ERROR)
def version_without_metric(alerts: ClusterAlerts, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    cluster = context.blueprint.cluster
    version = version_of(cluster)
    if version is None:
        return
    for name, alert in cluster_pages.asked_alerts(alerts).items():
        for metric in cluster_pages.metrics_of(alert.query).values():
            if not metric.is_in(version):
                yield Finding(
                    f"{name} uses metric {metric.type}, which GKE {cluster.version} does not have yet",
                    context.at(cluster, "version"),
                    also=(context.at_key(alerts, name, text="the alert"),)
                    if context.wrote(alerts, name)
                    else (),
                    help=f"write version: {metric.first_after(version)} or later",
                )
