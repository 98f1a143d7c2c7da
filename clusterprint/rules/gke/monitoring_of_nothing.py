from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.monitoring import Monitoring
from clusterprint.catalog import MetricComponent
from clusterprint.derived import cluster_pages
from clusterprint.diagnostic import Label, Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule

# What is measured by whom, and what has to be said for it.
_NEEDS: dict[MetricComponent, tuple[str, str]] = {
    "tpus": ("TPUs, and no node pool has any", "remove {}"),
    "gcs_fuse": ("Cloud Storage FUSE, which nobody uses", "remove {}"),
    "gpu_metrics": (
        "GPUs, and none are measured in this cluster",
        "add a pool with GPUs and gpu_metrics, or remove {}",
    ),
    "jobset_metrics": ("JobSets, which are not counted in this cluster", "add jobset: {{}} to workloads"),
    "pod": ("metrics of pods, which are not collected", "add pod to extra_metrics"),
    "kueue": ("queues, and Kueue is not installed", "add kueue to workloads, or remove {}"),
    "tpu_provisioner": (
        "the slice provisioner, which is not installed",
        "add tpu_provisioner to workloads, or remove {}",
    ),
}


@rule("GKE450", severity=Severity.ERROR, source="Google Cloud: GKE metrics, by package", firm=True)
def monitoring_of_nothing(monitoring: Monitoring, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A dashboard or an alert is about metrics that the cluster does not have.

    The page would stay empty, and the incident would never come, which looks as if all were well.

    Collect the metrics, or remove it.
    """
    blueprint, alerts = context.blueprint, monitoring.alerts
    for index, page in enumerate(monitoring.dashboards):
        # The first drawing of a page is what it is about.
        query = cluster_pages.pages()[page].charts[0].query
        for component in cluster_pages.missing(blueprint, query):
            yield _finding(page, component, monitoring, context.at(monitoring, "dashboards", index))
    if not given(alerts):
        return
    for name, alert in cluster_pages.asked_alerts(alerts).items():
        for component in cluster_pages.missing(blueprint, alert.query):
            yield _finding(name, component, monitoring, context.at(alerts, name))
    if alerts.gpu_errors and not cluster_pages.has_gpus(blueprint):
        yield _finding("gpu_errors", "gpu_metrics", monitoring, context.at(alerts, "gpu_errors"))


def _finding(what: str, component: MetricComponent, monitoring: Monitoring, place: Label) -> Finding:
    lacks, help_text = _NEEDS[component]
    if cluster_pages.needs_prometheus(component) and not monitoring.managed_prometheus:
        lacks, help_text = "what Google's Prometheus collects, which is off", "write managed_prometheus: true"
    return Finding(f"{what} is about {lacks}", place, help=help_text.format(what))
