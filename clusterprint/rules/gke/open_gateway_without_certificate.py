from clusterprint.blueprint.gke.inference import Inference
from clusterprint.rules.gke._gateways import open_without_certificate
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE356", severity=Severity.ERROR, source="Google Cloud: secure a Gateway")
def open_gateway_without_certificate(inference: Inference, context: Context) -> Iterator[Finding]:
    """Models are open to the internet, without encryption.

    Prompts, answers and keys could be read by anyone on the way.

    Create a regional SSL certificate in the project and name it in `certificate`.
    """
    yield from open_without_certificate(inference, "models", context)
