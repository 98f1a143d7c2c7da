from clusterprint.blueprint.ray.dashboard import Dashboard
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("RAY012", severity=Severity.WARNING, source="clusterprint: the dashboard")
def dashboard_setting_without_ingress(dashboard: Dashboard, context: Context) -> Iterator[Finding]:
    """The load balancer of the dashboard has a setting, but there is no load balancer.

    With port-forward, rights in the cluster decide; certificate, host and tokens are not used.

    Write `ingress: internal`, or remove the setting.
    """
    if dashboard.ingress != "none":
        return
    for field in ("authentication", "host", "certificate", "proxy_image"):
        if context.wrote(dashboard, field):
            yield Finding(
                f"{field} has no effect without a load balancer",
                context.at_key(dashboard, field),
                help="write `ingress: internal`, or remove it",
            )
