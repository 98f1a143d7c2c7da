from collections.abc import Iterator

from clusterprint.blueprint.ray.ray import Ray
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules._repeated import again
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import listed


@rule("RAY122", severity=Severity.ERROR, source="clusterprint: gateways to Ray services", firm=True)
def route_of_no_service(ray: Ray, context: Context) -> Iterator[Finding]:
    """A route leads to a service that does not exist, or two routes lead to the same one.

    Requests would get an error. A service has one route, with all its host names.

    Name one of `services`, each once.
    """
    if not given(ray.gateway):
        return
    routes = ray.gateway.routes
    names = [name for _, name in known(ray.services, lambda each: each.name)]
    for route, name in known(routes, lambda each: each.service):
        if name not in names and len(names) == len(ray.services):
            there = f"there are {listed(names, 'and')}" if names else "there are none"
            yield Finding(
                f"a route leads to service {name}, which does not exist",
                context.at(route, "service"),
                help=f"{there}; name one of `services`",
            )
    for route, before in again(routes, lambda each: each.service):
        yield Finding(
            f"two routes lead to service {route.service}",
            context.at(route, "service"),
            also=(context.at(before, "service", text="the first one"),),
            help="write all host names in one route",
        )
