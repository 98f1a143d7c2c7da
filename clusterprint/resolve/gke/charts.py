"""Components that bring a Helm chart of their own."""

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.components import Chart
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import components
from clusterprint.plan.kubernetes import ChartPlan

# Images are pulled, certificates are made, web hooks get ready: in seconds.
_WAIT_SECONDS = 900


def resolve_charts(workloads: Workloads) -> tuple[ChartPlan, ...]:
    """The components that are nothing but a chart, in the order of the catalog."""
    return tuple(
        resolve_chart(name, said) for name, _, said in components.requested(workloads) if type(said) is Chart
    )


def resolve_chart(name: str, given: Chart) -> ChartPlan:
    """The chart of a component: the pinned one, or what is given in its place."""
    pinned = catalog.component(name)
    location = pinned.location if given.location is UNSET else given.location
    is_oci = location.startswith("oci://")
    repository, _, chart = location.rpartition("/")
    return ChartPlan(
        key=name,
        name=name,
        namespace=pinned.namespace,
        repository="" if is_oci else repository,
        chart=location if is_oci else chart,
        version=pinned.version if given.version is UNSET else given.version,
        values=pinned.values,
        wait_seconds=_WAIT_SECONDS,
    )
