from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.catalog import machine
from clusterprint.derived import node_groups
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM181", severity=Severity.ERROR, source="Google Cloud: Ops Agent metrics")
def alert_on_no_gpus(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """There is an alert on idle GPUs, but no machine of the cluster has GPUs.

    There is never a value, and so never an incident.

    Remove `gpu_idle`.
    """
    alerts = blueprint.monitoring.alerts
    if alerts is UNSET or alerts.gpu_idle is UNSET:
        return
    groups = node_groups.groups(blueprint)
    if all(machine(each.machine_type) is not None for each in groups) and not any(
        map(node_groups.has_gpus, groups)
    ):
        yield Finding(
            "gpu_idle does nothing: no machine of this cluster has GPUs",
            context.at(alerts, "gpu_idle"),
            help="remove gpu_idle",
        )
