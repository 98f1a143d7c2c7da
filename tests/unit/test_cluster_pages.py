"""Dashboards and alerts of GKE clusters."""

import re
from typing import Any, get_args

import pytest
from unit.test_resolve_gke import cluster

from clusterprint import catalog
from clusterprint.blueprint.gke.monitoring import ClusterAlerts, Monitoring, Page
from clusterprint.derived import cluster_pages
from clusterprint.plan.monitoring import FoundPlan, MonitoringPlan, QueryPlan
from clusterprint_provisioner.metrics import Metrics

QUERIES = {
    **{
        f"{name}: {chart.title}": chart.query
        for name, page in cluster_pages.pages().items()
        for chart in page.charts
    },
    **{name: alert.query for name, alert in cluster_pages.alerts().items()},
}
# Of PromQL, not names of anything measured.
WORDS = re.compile(r"\{[^}]*\}|\[[^]]*\]|\b(by|unless)\b|\([A-Za-z_, ]+\)|[a-z_]+(?=\s*\()")


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_every_metric_is_in_the_catalog_and_about_one_cluster(query: str) -> None:
    found = cluster_pages.metrics_of(query)
    assert found
    # What has no braces behind it would be of all clusters of the project.
    left = re.sub(WORDS, " ", query)
    assert set(re.findall(r"[A-Za-z_][\w:]{3,}", left)) <= set(found)
    assert query.count("{") == len(re.findall(r"[\w:]+\{", query))


def test_every_metric_is_drawn_or_watched() -> None:
    named = {name for query in QUERIES.values() for name in cluster_pages.metrics_of(query)}
    assert named == set(catalog.metrics())


@pytest.mark.parametrize("name", catalog.metrics())
def test_metrics_are_called_by_promql_what_cloud_monitoring_calls_them(name: str) -> None:
    metric = catalog.metrics()[name]
    domain, _, path = metric.type.partition("/")
    if domain == "kubernetes.io":
        assert name == f"kubernetes_io:{path.replace('/', '_')}"
        assert metric.resource == f"k8s_{path.split('/')[0]}" or path.startswith("gcsfusecsi/")
    else:
        base, kind = path.split("/")
        assert name == base + ("_bucket" if kind == "histogram" else "")
        assert name.endswith("_total") == (kind == "counter")


def test_the_provisioner_sends_what_is_drawn_of_it() -> None:
    sent = {line.split()[2] for line in Metrics().text().decode().splitlines() if line.startswith("# TYPE")}
    drawn = {name for name, each in catalog.metrics().items() if each.component == "tpu_provisioner"}
    assert drawn
    assert {name.removesuffix("_total") for name in drawn} <= {name.removesuffix("_total") for name in sent}


def test_blueprints_know_all_pages_and_alerts() -> None:
    assert set(get_args(Page)) == set(cluster_pages.pages())
    fields = set(ClusterAlerts.__struct_fields__)
    # About a log, not about values.
    assert fields - set(cluster_pages.alerts()) == {"notification_channels", "gpu_errors"}


def pages_of(pools: list[dict[str, Any]] | None = None, **monitoring: Any) -> MonitoringPlan | None:
    return cluster(cluster={"monitoring": monitoring}, node_pools=pools or []).pages


def titles(made: MonitoringPlan | None) -> list[str]:
    assert made
    return [chart.title for page in made.dashboards for chart in page.charts]


def test_what_nobody_measures_is_not_drawn() -> None:
    assert "Pods, by phase" not in titles(pages_of(dashboards=["namespaces"]))
    assert "Pods, by phase" in titles(pages_of(dashboards=["namespaces"], extra_metrics=["pod"]))


def test_every_query_is_about_the_cluster() -> None:
    pools = [{"name": "l4", "machine_type": "g2-standard-8", "count": 1}]
    made = pages_of(pools, dashboards=["nodes", "gpus", "network"], alerts={"gpu_idle": "1h"})
    assert made
    asked = [chart.values for page in made.dashboards for chart in page.charts]
    asked += [each.when.query for each in made.alerts if isinstance(each.when, FoundPlan)]
    assert len(asked) > 10
    for query in asked:
        assert isinstance(query, QueryPlan)
        for labels in re.findall(r"\{([^}]*)\}", query.text):
            assert re.search(r'cluster(_name)?="', labels)
            assert 'project_id="' in labels
            assert 'location="' in labels


def test_nothing_is_made_when_nothing_is_asked_for() -> None:
    assert Monitoring().dashboards == ()
    assert pages_of(workload_logs=False) is None
