from clusterprint.blueprint.ray.gateway import Gateway
from clusterprint.rules.gke._gateways import at_one_address
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY120", severity=Severity.ERROR, firm=True)
def services_at_one_address(gateway: Gateway, context: Context) -> Iterator[Finding]:
    yield from at_one_address(gateway.routes, "services", lambda each: each.service, context)
