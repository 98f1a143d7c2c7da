from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.catalog import Component
from clusterprint.derived import components
from clusterprint.rules import _texts
from clusterprint.rules.gke._workloads import all_objects
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


def _asked_for_alone() -> Iterator[Component]:
    """Without what only comes along with something else, such as cert-manager with a webhook."""
    return (each for _, each in components.on_offer() if "." not in each.workload)


@rule("GKE133", severity=Severity.WARNING, source="Kubernetes: custom resources")
def object_of_missing_component(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A manifest holds an object of a kind whose component is not installed here.

    A cluster refuses objects of kinds that are not defined in it.

    Add the component to the workloads, unless it is installed in another way.
    """
    carried = list(all_objects(context))
    defined = {
        each.found.content.get("spec", {}).get("group")
        for each in carried
        if each.found.kind == "CustomResourceDefinition" and isinstance(each.found.content.get("spec"), dict)
    }
    for manifest, found in carried:
        group = found.identity[0]
        component = next((each for each in _asked_for_alone() if each.brings(group, found.kind)), None)
        if component and group not in defined and not given(components.request(workloads, component)):
            name = component.workload
            yield Finding(
                f"{_texts.name(manifest)} holds {found.kind} {found.name}, but {name} is not installed",
                context.at(manifest, _texts.field(manifest)),
                help=f"add `{name}: {{}}` to the workloads",
            )
