from clusterprint.blueprint.ray.gateway import Gateway
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY123", severity=Severity.NOTE, source="clusterprint: gateways to Ray services")
def gateway_without_routes(gateway: Gateway, context: Context) -> Iterator[Finding]:
    """There is a gateway, but it leads to no service.

    The load balancer is created and billed; every request gets an error.

    Add a route for each service, or remove the gateway.
    """
    if not gateway.routes:
        yield Finding(
            "the gateway leads to no service, and answers every request with an error",
            context.at(gateway),
            help="add routes, such as [{service: chat}]",
        )
