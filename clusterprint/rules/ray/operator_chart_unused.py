from clusterprint.blueprint.ray.ray import Ray
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY032", severity=Severity.WARNING, source="clusterprint: the KubeRay operator")
def operator_chart_unused(ray: Ray, context: Context) -> Iterator[Finding]:
    """A chart of the operator is named, but the operator is Google's add-on.

    The add-on has the version that belongs to the version of GKE.

    Write `operator: chart`, or remove `operator_chart`.
    """
    if ray.operator == "addon" and context.wrote(ray, "operator_chart"):
        yield Finding(
            "operator_chart has no effect: the operator is Google's add-on",
            context.at_key(ray, "operator_chart"),
            help="write `operator: chart`, or remove it",
        )
