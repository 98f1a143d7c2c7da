from clusterprint.blueprint.vm_monitoring import VmMonitoring
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM180", severity=Severity.ERROR, source="Google Cloud: Ops Agent metrics", firm=True)
def alert_without_ops_agent(monitoring: VmMonitoring, context: Context) -> Iterator[Finding]:
    """An alert needs the Ops Agent, which the nodes do not have.

    Compute Engine sees neither GPUs nor how full a file system is: there would never be a value, and so
    never an incident.

    Write `ops_agent: true`, or remove the alert.
    """
    if monitoring.ops_agent or monitoring.alerts is UNSET:
        return
    alerts = monitoring.alerts
    asked = {"gpu_idle": alerts.gpu_idle, "disk_used_percent": alerts.disk_used_percent}
    for key, said in asked.items():
        if said is not UNSET:
            yield Finding(
                f"{key} is measured by the Ops Agent, which nodes do not have",
                context.at(alerts, key),
                help="write ops_agent: true in monitoring",
            )
