"""What of a cluster is logged and measured."""

from cdktf_cdktf_provider_google.container_cluster import (
    ContainerClusterLoggingConfig,
    ContainerClusterMonitoringConfig,
    ContainerClusterMonitoringConfigManagedPrometheus,
    ContainerClusterMonitoringConfigManagedPrometheusAutoMonitoringConfig,
)

from clusterprint.plan.gke.control_plane import MonitoringPlan


def logging(plan: MonitoringPlan) -> ContainerClusterLoggingConfig:
    """Whose logs are collected."""
    return ContainerClusterLoggingConfig(enable_components=list(plan.logs))


def monitoring(plan: MonitoringPlan) -> ContainerClusterMonitoringConfig:
    """Whose metrics are collected."""
    return ContainerClusterMonitoringConfig(
        enable_components=list(plan.metrics),
        managed_prometheus=ContainerClusterMonitoringConfigManagedPrometheus(
            enabled=plan.managed_prometheus,
            auto_monitoring_config=ContainerClusterMonitoringConfigManagedPrometheusAutoMonitoringConfig(
                scope="ALL" if plan.auto_monitoring else "NONE"
            ),
        ),
    )
