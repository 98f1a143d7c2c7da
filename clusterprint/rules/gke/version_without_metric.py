from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.monitoring import ClusterAlerts
from clusterprint.derived import cluster_pages
from clusterprint.rules.gke._versions import version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


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
