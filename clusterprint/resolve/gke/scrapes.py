"""Programs in a cluster whose values Google's Prometheus fetches, where somebody wants to see them."""

from collections.abc import Iterator

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.derived import cluster_pages
from clusterprint.plan.gke.queues import QueuesPlan
from clusterprint.plan.gke.tpu_provisioner import ProvisionerPlan
from clusterprint.plan.kubernetes import ScrapePlan
from clusterprint.resolve.gke.tpu_provisioner import METRICS_PORT

# As Kueue's chart serves them: encrypted, with a certificate that it makes for itself.
_KUEUE_PORT = 8443
_KUEUE_LABELS = {"control-plane": "controller-manager"}
# Where everybody has them.
_PATH = "/metrics"
_SECONDS = 30


def resolve_scrapes(
    blueprint: GkeBlueprint, queues: QueuesPlan | None, provisioner: ProvisionerPlan | None
) -> Iterator[ScrapePlan]:
    """Whom to ask, and where."""
    wanted = cluster_pages.scraped(blueprint)
    if queues and "kueue" in wanted:
        yield ScrapePlan(
            key="kueue",
            namespace=queues.chart.namespace,
            labels=_KUEUE_LABELS,
            port=_KUEUE_PORT,
            path=_PATH,
            encrypted=True,
            seconds=_SECONDS,
        )
    if provisioner and "tpu_provisioner" in wanted:
        yield ScrapePlan(
            key="tpu-provisioner",
            namespace=provisioner.namespace,
            labels={"app.kubernetes.io/name": provisioner.account},
            port=METRICS_PORT,
            path=_PATH,
            encrypted=False,
            seconds=_SECONDS,
        )
