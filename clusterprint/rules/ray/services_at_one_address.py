from clusterprint.blueprint.ray.gateway import Gateway
from clusterprint.rules.gke._gateways import at_one_address
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY120", severity=Severity.ERROR, source="Gateway API: conflicts between routes", firm=True)
def services_at_one_address(gateway: Gateway, context: Context) -> Iterator[Finding]:
    """Two services have the same host name and the same path.

    A request goes to one of them only: the older route wins, and the other service is never asked.

    Give one of them another path, or a host name of its own.
    """
    yield from at_one_address(gateway.routes, "services", lambda each: each.service, context)
