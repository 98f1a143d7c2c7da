from collections.abc import Iterator

from clusterprint.blueprint.gke.compute_classes import ComputeClass
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE050", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def compute_class_repeated(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """Two compute classes have the same name.

    Workloads select a class by its name; one would overwrite the other.

    Give one of them another name, or merge their pools into one list.
    """
    first: dict[str, ComputeClass] = {}
    for each, name in known(blueprint.compute_classes, lambda each: each.name):
        before = first.setdefault(name, each)
        if before is not each:
            yield Finding(
                f"there are two compute classes called {name}",
                context.at(each, "name"),
                also=(context.at(before, "name", text="the first one"),),
                help="give one of them another name, or merge the two",
            )
