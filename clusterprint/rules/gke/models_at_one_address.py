from clusterprint.blueprint.gke.inference import Inference
from clusterprint.rules.gke._gateways import at_one_address
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE355", severity=Severity.ERROR, source="Gateway API: conflicts between routes", firm=True)
def models_at_one_address(inference: Inference, context: Context) -> Iterator[Finding]:
    """Two models have the same host name and the same path.

    A request goes to one of them only: the older route wins, and the other model is never asked.

    Give one of them another path, or a host name of its own.
    """
    yield from at_one_address(inference.models, "models", lambda each: each.name, context)
