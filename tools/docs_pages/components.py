"""docs/reference: what is installed inside clusters."""

from clusterprint import catalog
from clusterprint.catalog import Component
from docs_pages.markup import page, table


def components_page() -> str:
    """Every chart, program and image that clusters get, in the version that is pinned."""
    return page(
        [
            "# What is installed in clusters",
            "Charts and programs with the field that installs them, and images, in the pinned versions.",
            table(
                ("Component", "Field", "Version", "Location", "Namespace", "Kubernetes"),
                (_row(name, each) for name, each in catalog.components().items()),
            ),
            "**Kubernetes** is the oldest version that the component is known to work with.",
        ],
        "clusterprint/catalog/kubernetes/components.json",
    )


def _row(name: str, component: Component) -> tuple[str, ...]:
    return (
        f"`{name}`",
        f"`workloads.{component.workload}`" if component.workload else "",
        component.version or component.digest[:19],
        f"`{component.location}`" if component.location else "",
        f"`{component.namespace}`" if component.namespace else "",
        component.kubernetes,
    )
