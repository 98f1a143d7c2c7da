from collections.abc import Iterator

from clusterprint.blueprint.ray.dashboard import Dashboard
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("RAY010", severity=Severity.ERROR, source="Ray: security; CVE-2023-48022")
def ingress_without_authentication(dashboard: Dashboard, context: Context) -> Iterator[Finding]:
    """The dashboard is reached through a load balancer, and asks for nothing.

    Ray runs whatever it is handed there, with all rights of its pods. Clusters with an open dashboard have
    been taken over in numbers, from inside company networks too.

    Remove `authentication: none`: a token of the cluster is asked for then.
    """
    if dashboard.ingress != "none" and dashboard.authentication == "none":
        yield Finding(
            "whoever reaches the load balancer can run code on the cluster",
            context.at(dashboard, "authentication"),
            also=(context.at(dashboard, "ingress", text="the load balancer"),),
            help="remove `authentication: none`",
        )
