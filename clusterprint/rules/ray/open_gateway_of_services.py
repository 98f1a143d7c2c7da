from clusterprint.blueprint.ray.gateway import Gateway
from clusterprint.rules.gke._gateways import open_without_certificate
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY121", severity=Severity.ERROR, source="Google Cloud: secure a Gateway")
def open_gateway_of_services(gateway: Gateway, context: Context) -> Iterator[Finding]:
    """Services are open to the internet, without encryption.

    Requests, answers and keys could be read by anyone on the way.

    Create a regional SSL certificate in the project and name it in `certificate`.
    """
    yield from open_without_certificate(gateway, "services", context)
