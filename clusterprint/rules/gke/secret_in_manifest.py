from clusterprint import masking
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.components import Manifest
from clusterprint.derived.kubernetes_objects import NotReadable
from clusterprint.rules import _texts
from clusterprint.rules.gke._workloads import objects_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE131", severity=Severity.ERROR, source=masking.SOURCE, firm=True)
def secret_in_manifest(manifest: Manifest, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """A manifest holds a Kubernetes Secret.

    The secret would be in the repository, in the synthesized Terraform and in its state, where too many
    people can read it.

    Keep it in Secret Manager, name it in `workload_identity`, and let the workload fetch it or mount it.
    """
    try:
        found = objects_of(manifest, context)
    except NotReadable:
        return
    for each in found:
        if each.kind == "Secret":
            yield Finding(
                f"{_texts.name(manifest)} holds the Secret {each.name}, in line {each.line}",
                context.at(manifest, _texts.field(manifest)),
                help="keep it in Secret Manager, and let the workload fetch it with its identity",
            )
