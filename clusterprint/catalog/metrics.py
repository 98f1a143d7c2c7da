"""Metrics of GKE clusters, by their names in PromQL."""

from functools import cache
from typing import Literal

from clusterprint.catalog.fact import read_table
from clusterprint.catalog.gke import GkeFeature

#: What has to be there for values: GKE itself, a setting of its monitoring, a kind of nodes, or a program.
MetricComponent = Literal[
    "system", "tpus", "gcs_fuse", "gpu_metrics", "jobset_metrics", "pod", "kueue", "tpu_provisioner"
]


class Metric(GkeFeature, frozen=True, kw_only=True):
    """A metric: what Cloud Monitoring calls it, what it is about there, and who sends it.

    Without `since` every version of GKE that can be had does.
    """

    type: str
    resource: Literal["k8s_node", "k8s_pod", "k8s_container", "prometheus_target"]
    component: MetricComponent
    since: tuple[str, ...] = ("1.0",)


@cache
def metrics() -> dict[str, Metric]:
    """All of them by name."""
    return read_table("google/metrics", dict[str, Metric])
