from clusterprint.blueprint.ray.gateway import Gateway
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY123", severity=Severity.NOTE)
def gateway_without_routes(gateway: Gateway, context: Context) -> Iterator[Finding]:
    if not gateway.routes:
        yield Finding(
            "the gateway leads to no service, and answers every request with an error",
            context.at(gateway),
            help="add routes, such as [{service: chat}]",
        )
