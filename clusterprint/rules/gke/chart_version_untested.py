from clusterprint.blueprint.gke.components import Chart
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import components
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


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
