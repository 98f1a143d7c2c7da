from collections.abc import Iterator

from clusterprint.blueprint.gke.inference import Inference
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("GKE356", severity=Severity.ERROR, source="Google Cloud: secure a Gateway")
def open_gateway_without_certificate(inference: Inference, context: Context) -> Iterator[Finding]:
    """Models are open to the internet, without encryption.

    Prompts, answers and keys would travel readable for everybody on the way.

    Make a regional SSL certificate in the project and name it in `certificate`.
    """
    if inference.access == "external" and not given(inference.certificate):
        yield Finding(
            "the gateway to models is open to the internet, and speaks HTTP",
            context.at(inference, "access"),
            help="name a regional SSL certificate in `certificate`, or write access: internal",
        )
