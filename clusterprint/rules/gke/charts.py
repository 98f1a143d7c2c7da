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


@rule(
    "GKE142",
    severity=Severity.WARNING,
    source="JobSet, Kueue, NVIDIA DRA driver: charts; GoogleCloudPlatform: cluster-toolkit, kubectl-apply",
)
def chart_version_untested(workloads: Workloads, context: Context) -> Iterator[Finding]:
    """A component has a version that is not known to work here.

    JobSet, Kueue and NVIDIA's DRA driver are known to accept what stacks give them in certain versions.
    Others often work, but their settings and the versions of their objects may differ, or they are at another
    location. A chart of another name, at a location that the blueprint names, is not compared.

    Leave `version` out, or write a version from the range.
    """
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


@rule(
    "GKE190",
    severity=Severity.WARNING,
    source="Kueue: installation; cert-manager: supported releases; Kubernetes: validation rules (KEP-2876)",
)
def chart_needs_newer_kubernetes(
    cluster: Cluster, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """The version of GKE is older than those that an installed component is known to work with.

    The API server refuses or does not check the component's definitions, or its controller waits for kinds of
    objects that the cluster does not have: Terraform times out waiting for it, after the cluster was built.

    Write the version that the help names, or leave `version` out to get the default of the release channel. A
    component whose version or location the blueprint names itself is assumed to fit.
    """
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


@rule("GKE246", severity=Severity.ERROR, source="Helm: names of releases", firm=True)
def chart_name_taken(workloads: Workloads, context: Context) -> Iterator[Finding]:
    """Two charts have the same name, or one that a component has.

    A Helm release is identified by its name, in the cluster and in the Terraform state.

    Give it another name.
    """
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
