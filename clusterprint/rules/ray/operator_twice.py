from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "RAY030",
    severity=Severity.ERROR,
    source="Terraform provider google: ray_operator_config",
    firm=True,
)
def operator_twice(blueprint: RayBlueprint, context: Context) -> Iterator[Finding]:
    """The KubeRay operator is installed by its chart, and by Google's add-on too.

    Two operators would work on the same Ray clusters, against each other.

    Remove the add-on, or `operator: chart`.
    """
    addons = blueprint.cluster.addons
    if blueprint.ray.operator == "chart" and addons.ray:
        yield Finding(
            "two operators would work on the same Ray clusters",
            context.at(blueprint.ray, "operator"),
            also=(context.at(addons, "ray", text="the other one"),),
            help="remove one of the two",
        )
