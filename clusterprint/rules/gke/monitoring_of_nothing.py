from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.monitoring import Monitoring
from clusterprint.catalog import MetricComponent
from clusterprint.derived import cluster_pages
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule

# Why there are no metrics of a component, and what to write to have them.
_NEEDS: dict[MetricComponent, tuple[str, str]] = {
    "tpus": ("no node pool has TPUs", "remove {}"),
    "gcs_fuse": ("nothing uses Cloud Storage FUSE", "remove {}"),
    "gpu_metrics": (
        "no GPU metrics are collected",
        "add a pool with GPUs and gpu_metrics, or remove {}",
    ),
    "jobset_metrics": ("no JobSet metrics are collected", "add jobset: {{}} to workloads"),
    "pod": ("no pod metrics are collected", "add pod to extra_metrics"),
    "kueue": ("Kueue is not installed", "add kueue to workloads, or remove {}"),
    "tpu_provisioner": (
        "the slice provisioner is not installed",
        "add tpu_provisioner to workloads, or remove {}",
    ),
}


@rule("GKE450", severity=Severity.ERROR, firm=True)
def monitoring_of_nothing(monitoring: Monitoring, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    blueprint, alerts = context.blueprint, monitoring.alerts
    for index, page in enumerate(monitoring.dashboards):
        # The first drawing of a page is what it is about.
        query = cluster_pages.pages()[page].charts[0].query
        for component in cluster_pages.missing(blueprint, query):
            place = context.at(monitoring, "dashboards", index)
            yield _finding(page, f"dashboard {page} would be empty", component, monitoring, place)
    if not given(alerts):
        return
    for name, alert in cluster_pages.asked_alerts(alerts).items():
        for component in cluster_pages.missing(blueprint, alert.query):
            yield _finding(name, _silent(name), component, monitoring, context.at(alerts, name))
    if alerts.gpu_errors and not cluster_pages.has_gpus(blueprint):
        place = context.at(alerts, "gpu_errors")
        yield _finding("gpu_errors", _silent("gpu_errors"), "gpu_metrics", monitoring, place)


def _silent(name: str) -> str:
    return f"{name} would never open an incident"


def _finding(
    what: str, effect: str, component: MetricComponent, monitoring: Monitoring, place: Label
) -> Finding:
    lacks, help_text = _NEEDS[component]
    if cluster_pages.needs_prometheus(component) and not monitoring.managed_prometheus:
        lacks, help_text = "managed Prometheus is off", "write managed_prometheus: true"
    return Finding(f"{effect}: {lacks}", place, help=help_text.format(what))
