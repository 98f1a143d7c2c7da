from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE050", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def compute_class_repeated(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """Two compute classes have the same name.

    Workloads select a class by its name; one would overwrite the other.

    Give one of them another name, or merge their pools into one list.
    """
    yield from repeated(
        blueprint.compute_classes,
        context,
        lambda each: f"there are two compute classes called {each.name}",
        help="give one of them another name, or merge the two",
    )
