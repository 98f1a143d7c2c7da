"""When Google may upgrade a cluster."""

from cdktf_cdktf_provider_google.container_cluster import (
    ContainerCluster,
    ContainerClusterMaintenancePolicy,
    ContainerClusterMaintenancePolicyDailyMaintenanceWindow,
    ContainerClusterMaintenancePolicyMaintenanceExclusion,
    ContainerClusterMaintenancePolicyMaintenanceExclusionExclusionOptions,
    ContainerClusterMaintenancePolicyRecurringWindow,
)

from clusterprint.plan.gke.control_plane import (
    ControlPlanePlan,
    DisruptionBudgetPlan,
    ExclusionPlan,
    WindowPlan,
)
from stacks.google.provider import set_beyond


def maintenance(plan: ControlPlanePlan) -> ContainerClusterMaintenancePolicy | None:
    """A window, and times without upgrades; None leaves both to Google."""
    if plan.window is None:
        return None
    return ContainerClusterMaintenancePolicy(
        daily_maintenance_window=(
            ContainerClusterMaintenancePolicyDailyMaintenanceWindow(start_time=plan.window.daily_start)
            if plan.window.daily_start
            else None
        ),
        recurring_window=None if plan.window.daily_start else _recurring(plan.window),
        maintenance_exclusion=[_exclusion(each) for each in plan.exclusions if each.end] or None,
    )


def _recurring(plan: WindowPlan) -> ContainerClusterMaintenancePolicyRecurringWindow:
    return ContainerClusterMaintenancePolicyRecurringWindow(
        start_time=plan.start, end_time=plan.end, recurrence=plan.recurrence
    )


def _exclusion(plan: ExclusionPlan) -> ContainerClusterMaintenancePolicyMaintenanceExclusion:
    return ContainerClusterMaintenancePolicyMaintenanceExclusion(
        exclusion_name=plan.name,
        start_time=plan.start,
        end_time=plan.end,
        exclusion_options=ContainerClusterMaintenancePolicyMaintenanceExclusionExclusionOptions(
            scope=plan.scope
        ),
    )


def set_newer_maintenance(cluster: ContainerCluster, plan: ControlPlanePlan) -> None:
    """Arguments that the bindings lack: exclusions without an end, and time between upgrades."""
    # The engine adds them to those that the bindings know.
    endless = [_endless(each) for each in plan.exclusions if not each.end]
    if endless:
        set_beyond(cluster, "maintenance_policy.maintenance_exclusion", endless)
    if plan.disruption_budget:
        set_beyond(cluster, "maintenance_policy.disruption_budget", _budget(plan.disruption_budget))


def _endless(plan: ExclusionPlan) -> dict[str, object]:
    return {
        "exclusion_name": plan.name,
        "start_time": plan.start,
        "exclusion_options": {"scope": plan.scope, "end_time_behavior": "UNTIL_END_OF_SUPPORT"},
    }


def _budget(plan: DisruptionBudgetPlan) -> dict[str, str]:
    intervals = {"minor": plan.minor_seconds, "patch": plan.patch_seconds}
    return {f"{name}_version_disruption_interval": f"{each}s" for name, each in intervals.items() if each}
