from clusterprint.blueprint.ray.ray import Ray
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, again, given, rule


@rule("RAY122", severity=Severity.ERROR, source="clusterprint: gateways to Ray services", firm=True)
def route_of_no_service(ray: Ray, context: Context) -> Iterator[Finding]:
    """A route leads to a service that does not exist, or two routes lead to the same one.

    Requests would get an error. A service has one route, with all its host names.

    Name one of `services`, each once.
    """
    if not given(ray.gateway):
        return
    routes = ray.gateway.routes
    for route, before in again(routes, lambda each: each.service):
        yield Finding(
            f"two routes lead to service {route.service}",
            context.at(route, "service"),
            also=(context.at(before, "service", text="the first one"),),
            help="write all host names in one route",
        )
