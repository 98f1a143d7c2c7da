from clusterprint.blueprint.gke.compute_classes import ComputeClass
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule, values


@rule("GKE052", severity=Severity.ERROR, firm=True)
def pool_in_two_compute_classes(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    first: dict[str, ComputeClass] = {}
    for each, _ in known(blueprint.compute_classes, lambda each: each.prefer):
        for index, name in values(each, "prefer"):
            before = first.setdefault(name, each)
            if before is not each:
                yield Finding(
                    f"pool {name} belongs to two compute classes",
                    context.at(each, "prefer", index),
                    also=(context.at_key(before, "prefer", text="the first one"),),
                    help="make another pool of the same machines for one of the two",
                )
