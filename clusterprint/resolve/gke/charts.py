"""Components that bring a Helm chart of their own."""

from typing import Any

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.components import Chart
from clusterprint.plan.kubernetes import ChartPlan

JOBSET_NAMESPACE = "jobset-system"
KUEUE_NAMESPACE = "kueue-system"
CERT_MANAGER_NAMESPACE = "cert-manager"

# Images are pulled, certificates are made, web hooks get ready: in seconds.
_WAIT_SECONDS = 900


def resolve_chart(name: str, namespace: str, given: Chart, values: dict[str, Any]) -> ChartPlan:
    """The chart of a component: the pinned one, or what is given in its place."""
    pinned = catalog.component(name)
    location = pinned.location if given.location is UNSET else given.location
    is_oci = location.startswith("oci://")
    repository, _, chart = location.rpartition("/")
    return ChartPlan(
        key=name,
        name=name,
        namespace=namespace,
        repository="" if is_oci else repository,
        chart=location if is_oci else chart,
        version=pinned.version if given.version is UNSET else given.version,
        values=values,
        wait_seconds=_WAIT_SECONDS,
    )
