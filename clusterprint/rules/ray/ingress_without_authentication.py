from clusterprint.blueprint.ray.dashboard import Dashboard
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY010", severity=Severity.ERROR, source="Ray: security; CVE-2023-48022")
def ingress_without_authentication(dashboard: Dashboard, context: Context) -> Iterator[Finding]:
    """The dashboard is reachable through a load balancer without authentication.

    Ray runs any code that is submitted there, with all permissions of its pods. Many clusters with an open
    dashboard have been taken over, also from inside company networks.

    Remove `authentication: none`, so that a token of the cluster is required.
    """
    if dashboard.ingress != "none" and dashboard.authentication == "none":
        yield Finding(
            "anyone who can reach the load balancer can run code on the cluster",
            context.at(dashboard, "authentication"),
            also=(context.at(dashboard, "ingress", text="the load balancer"),),
            help="remove `authentication: none`",
        )
