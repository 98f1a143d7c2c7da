from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.inference import Inference
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE453", severity=Severity.NOTE, source="Google Cloud: deploy GKE Inference Gateway")
def gateway_without_models(inference: Inference, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    """There is a gateway to models, but there are no models.

    The load balancer is created and billed; every request gets an error. Only namespaces of models may attach
    routes to it.

    Add a model, or remove the gateway until there is one.
    """
    if not inference.models:
        yield Finding(
            "the gateway has no models, and answers every request with an error",
            context.at_key(inference, "models")
            if context.wrote(inference, "models")
            else context.at_key(context.blueprint.workloads, "inference"),
            help="add models, such as [{name: llama, pods: {app: vllm-llama}}]",
        )
