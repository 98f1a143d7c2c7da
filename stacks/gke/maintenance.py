"""When Google may upgrade a cluster."""

from cdktf_cdktf_provider_google.container_cluster import (
    ContainerClusterMaintenancePolicy,
    ContainerClusterMaintenancePolicyDailyMaintenanceWindow,
    ContainerClusterMaintenancePolicyMaintenanceExclusion,
    ContainerClusterMaintenancePolicyMaintenanceExclusionExclusionOptions,
    ContainerClusterMaintenancePolicyRecurringWindow,
)

from clusterprint.plan.gke.control_plane import ControlPlanePlan, ExclusionPlan, WindowPlan


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
        maintenance_exclusion=[_exclusion(each) for each in plan.exclusions] or None,
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
