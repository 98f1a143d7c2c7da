from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.rules import _texts
from clusterprint.rules.gke._workloads import all_objects
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, again, rule


@rule("GKE132", severity=Severity.ERROR, source="Kubernetes: object names", firm=True)
def object_repeated(workloads: Workloads, context: Context[GkeBlueprint]) -> Iterator[Finding]:  # noqa: ARG001 - their manifests
    """Two objects of the manifests are one and the same: they share kind, namespace and name.

    One of them would silently replace the other.

    Remove one, or give it another name.
    """
    for (manifest, found), (other, before) in again(all_objects(context), lambda each: each.found.identity):
        first = context.at(other, _texts.field(other), text=f"the first one, in line {before.line}")
        yield Finding(
            f"{_texts.name(manifest)} holds {found.kind} {found.name} again, in line {found.line}",
            context.at(manifest, _texts.field(manifest)),
            also=(first,),
            help="remove one, or give it another name",
        )
