"""What Google installs in a cluster."""

from cdktf_cdktf_provider_google.container_cluster import (
    ContainerCluster,
    ContainerClusterAddonsConfig,
    ContainerClusterAddonsConfigDnsCacheConfig,
    ContainerClusterAddonsConfigGcePersistentDiskCsiDriverConfig,
    ContainerClusterAddonsConfigGcpFilestoreCsiDriverConfig,
    ContainerClusterAddonsConfigGcsFuseCsiDriverConfig,
    ContainerClusterAddonsConfigLustreCsiDriverConfig,
    ContainerClusterAddonsConfigParallelstoreCsiDriverConfig,
    ContainerClusterAddonsConfigRayOperatorConfig,
    ContainerClusterAddonsConfigRayOperatorConfigRayClusterLoggingConfig,
    ContainerClusterAddonsConfigRayOperatorConfigRayClusterMonitoringConfig,
)

from clusterprint.plan.gke.control_plane import AddonsPlan
from stacks.google.provider import set_beyond


def addons(plan: AddonsPlan) -> ContainerClusterAddonsConfig:
    """Each add-on is written whether it is on or off, so that switching it off is a change."""
    return ContainerClusterAddonsConfig(
        gce_persistent_disk_csi_driver_config=ContainerClusterAddonsConfigGcePersistentDiskCsiDriverConfig(
            enabled=plan.persistent_disk
        ),
        gcs_fuse_csi_driver_config=ContainerClusterAddonsConfigGcsFuseCsiDriverConfig(enabled=plan.gcs_fuse),
        gcp_filestore_csi_driver_config=ContainerClusterAddonsConfigGcpFilestoreCsiDriverConfig(
            enabled=plan.filestore
        ),
        lustre_csi_driver_config=ContainerClusterAddonsConfigLustreCsiDriverConfig(enabled=plan.lustre),
        parallelstore_csi_driver_config=ContainerClusterAddonsConfigParallelstoreCsiDriverConfig(
            enabled=plan.parallelstore
        ),
        dns_cache_config=ContainerClusterAddonsConfigDnsCacheConfig(enabled=plan.dns_cache),
        ray_operator_config=[_ray(plan)],
    )


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
