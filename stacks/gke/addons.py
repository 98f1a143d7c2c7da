"""Google's add-ons of a cluster, as far as its plan does not name the arguments."""

from cdktf_cdktf_provider_google.container_cluster import (
    ContainerCluster,
    ContainerClusterAddonsConfig,
    ContainerClusterAddonsConfigRayOperatorConfig,
    ContainerClusterAddonsConfigRayOperatorConfigRayClusterLoggingConfig,
    ContainerClusterAddonsConfigRayOperatorConfigRayClusterMonitoringConfig,
)

from clusterprint.plan.gke.control_plane import AddonsPlan
from stacks.google.provider import set_beyond


def addons(plan: AddonsPlan) -> ContainerClusterAddonsConfig:
    """The operator of Ray: one block of a list."""
    return ContainerClusterAddonsConfig(ray_operator_config=[_ray(plan)])


def set_newer_addons(cluster: ContainerCluster, plan: AddonsPlan) -> None:
    """Add-ons that the bindings have no words for."""
    newer = {"high_scale_checkpointing_config": plan.multi_tier_checkpointing}
    for name, enabled in newer.items():
        if enabled is not None:
            set_beyond(cluster, f"addons_config.{name}", {"enabled": enabled})


def _ray(plan: AddonsPlan) -> ContainerClusterAddonsConfigRayOperatorConfig:
    if not plan.ray:
        return ContainerClusterAddonsConfigRayOperatorConfig(enabled=False)
    return ContainerClusterAddonsConfigRayOperatorConfig(
        enabled=True,
        ray_cluster_logging_config=ContainerClusterAddonsConfigRayOperatorConfigRayClusterLoggingConfig(
            enabled=True
        ),
        ray_cluster_monitoring_config=ContainerClusterAddonsConfigRayOperatorConfigRayClusterMonitoringConfig(
            enabled=True
        ),
    )
