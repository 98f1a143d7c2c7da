from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.components import Manifest
from clusterprint.derived.kubernetes_objects import NotReadable
from clusterprint.rules import _texts
from clusterprint.rules.gke._workloads import objects_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE130", severity=Severity.ERROR, source="Kubernetes: objects", firm=True)
def manifest_not_readable(manifest: Manifest, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A manifest holds something that is not a Kubernetes object.

    Every object has `apiVersion`, `kind` and a name in its metadata. Without them it can be neither created
    nor found again.

    Correct the manifest; `kubectl apply --dry-run=client` reads it in the same way.
    """
    try:
        found = objects_of(manifest, context)
    except NotReadable as error:
        where = f", in line {error.line}" if error.line else ""
        yield Finding(
            f"{_texts.name(manifest)} {error}{where}",
            context.at(manifest, _texts.field(manifest)),
            help="write YAML documents, each an object with a name, as kubectl reads them",
        )
        return
    if not found and _texts.content(manifest, context) is not None:
        yield Finding(
            f"{_texts.name(manifest)} holds no object",
            context.at(manifest, _texts.field(manifest)),
            help="add one, or leave the manifest out",
        )
