from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.components import Chart
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.blueprint.part import Part
from clusterprint.derived import components
from clusterprint.rules._repeated import repeated
from clusterprint.rules.gke._versions import version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("GKE142", severity=Severity.WARNING)
def chart_version_untested(workloads: Workloads, context: Context) -> Iterator[Finding]:
    for name, component in components.on_offer():
        chart = components.request(workloads, component)
        if (
            not component.tested
            or not given(chart)
            or not isinstance(chart, Chart)
            or not given(chart.version)
            or (given(chart.location) and _name(chart.location) != _name(component.location))
        ):
            continue
        lowest, highest = component.tested
        if not _numbers(lowest) <= _numbers(chart.version) <= _numbers(highest):
            yield Finding(
                f"{name} {chart.version} is outside the range known to work: {lowest} to {highest}",
                context.at(chart, "version"),
                help=f"leave it out (the default is {component.version})",
            )


def _name(location: str) -> str:
    return location.rpartition("/")[2]


def _numbers(version: str) -> tuple[int, ...]:
    plain = version.removeprefix("v").partition("-")[0].partition("+")[0]
    return tuple(int(each) for each in plain.split("."))


@rule("GKE190", severity=Severity.WARNING)
def chart_needs_newer_kubernetes(
    cluster: Cluster, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    version = version_of(cluster)
    if version is None:
        return
    for name, component, said in components.installed(context.blueprint):
        oldest = catalog.gke_version(component.kubernetes)
        if oldest and version.minor < oldest.minor and not _chosen(said):
            yield Finding(
                f"GKE {cluster.version} is older than the versions that {name} {component.version} is known "
                "to work with",
                context.at(cluster, "version"),
                also=(context.at(said, text=f"asks for {name}"),),
                help=f"write version: {component.kubernetes} or later, or remove version",
            )


def _chosen(said: Part) -> bool:
    """Whether a blueprint brings another chart than the pinned one, of which nothing is known."""
    return isinstance(said, Chart) and (given(said.version) or given(said.location))


@rule("GKE246", severity=Severity.ERROR, firm=True)
def chart_name_taken(workloads: Workloads, context: Context) -> Iterator[Finding]:
    yield from repeated(
        workloads.charts,
        context,
        lambda each: f"there are two charts called {each.name}",
        help="give one of them another name",
    )
    ours = {name for name, _, _ in components.requested(workloads)}
    for chart, name in known(workloads.charts, lambda each: each.name):
        if name in ours:
            yield Finding(
                f"a chart is called {name}, which is the name of a component",
                context.at(chart, "name"),
                help="give it another name",
            )
