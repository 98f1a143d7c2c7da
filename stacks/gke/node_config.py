"""What the nodes of a pool are made from."""

from typing import TypedDict

from cdktf_cdktf_provider_google.container_node_pool import (
    ContainerNodePool,
    ContainerNodePoolNodeConfig,
    ContainerNodePoolNodeConfigAdvancedMachineFeatures,
    ContainerNodePoolNodeConfigConfidentialNodes,
    ContainerNodePoolNodeConfigEphemeralStorageLocalSsdConfig,
    ContainerNodePoolNodeConfigFastSocket,
    ContainerNodePoolNodeConfigGcfsConfig,
    ContainerNodePoolNodeConfigGuestAccelerator,
    ContainerNodePoolNodeConfigGuestAcceleratorGpuDriverInstallationConfig,
    ContainerNodePoolNodeConfigGuestAcceleratorGpuSharingConfig,
    ContainerNodePoolNodeConfigGvnic,
    ContainerNodePoolNodeConfigHostMaintenancePolicy,
    ContainerNodePoolNodeConfigKubeletConfig,
    ContainerNodePoolNodeConfigLinuxNodeConfig,
    ContainerNodePoolNodeConfigLinuxNodeConfigHugepagesConfig,
    ContainerNodePoolNodeConfigLocalNvmeSsdBlockConfig,
    ContainerNodePoolNodeConfigReservationAffinity,
    ContainerNodePoolNodeConfigSecondaryBootDisks,
    ContainerNodePoolNodeConfigShieldedInstanceConfig,
    ContainerNodePoolNodeConfigTaint,
    ContainerNodePoolNodeConfigWorkloadMetadataConfig,
)

from clusterprint.plan.gke.pools import AcceleratorPlan, CapacityPlan, NodePlan
from stacks.google.provider import set_beyond


class _Hardware(TypedDict):
    """Arguments of a node: what it is made of."""

    gvnic: ContainerNodePoolNodeConfigGvnic | None
    fast_socket: ContainerNodePoolNodeConfigFastSocket | None
    advanced_machine_features: ContainerNodePoolNodeConfigAdvancedMachineFeatures | None
    host_maintenance_policy: ContainerNodePoolNodeConfigHostMaintenancePolicy | None


class _Disks(TypedDict):
    """Arguments of a node: where it keeps data."""

    disk_type: str | None
    disk_size_gb: int
    gcfs_config: ContainerNodePoolNodeConfigGcfsConfig
    ephemeral_storage_local_ssd_config: ContainerNodePoolNodeConfigEphemeralStorageLocalSsdConfig | None
    local_nvme_ssd_block_config: ContainerNodePoolNodeConfigLocalNvmeSsdBlockConfig | None
    secondary_boot_disks: list[ContainerNodePoolNodeConfigSecondaryBootDisks] | None


class _Capacity(TypedDict):
    """Arguments of a node: how it is obtained."""

    spot: bool | None
    flex_start: bool | None
    max_run_duration: str | None
    reservation_affinity: ContainerNodePoolNodeConfigReservationAffinity | None


def node_config(plan: NodePlan, *, email: str, labels: dict[str, str]) -> ContainerNodePoolNodeConfig:
    """Nodes as the plan has them, run as `email`, with resource labels `labels`."""
    return ContainerNodePoolNodeConfig(
        machine_type=plan.machine_type,
        image_type=plan.image_type,
        service_account=email,
        # Rights come from roles; the scope must not narrow them a second time.
        oauth_scopes=["https://www.googleapis.com/auth/cloud-platform"],
        resource_labels=labels,
        labels=plan.labels or None,
        taint=[
            ContainerNodePoolNodeConfigTaint(key=each.key, value=each.value, effect=each.effect)
            for each in plan.taints
        ]
        or None,
        tags=list(plan.tags) or None,
        metadata={"disable-legacy-endpoints": "true"},
        workload_metadata_config=ContainerNodePoolNodeConfigWorkloadMetadataConfig(mode="GKE_METADATA"),
        shielded_instance_config=(
            ContainerNodePoolNodeConfigShieldedInstanceConfig(
                enable_secure_boot=plan.secure_boot, enable_integrity_monitoring=True
            )
            if plan.shielded
            else None
        ),
        confidential_nodes=(
            ContainerNodePoolNodeConfigConfidentialNodes(
                enabled=True, confidential_instance_type=plan.confidential
            )
            if plan.confidential
            else None
        ),
        boot_disk_kms_key=plan.boot_disk_kms_key or None,
        storage_pools=[plan.boot_disk_pool] if plan.boot_disk_pool else None,
        kubelet_config=_kubelet(plan),
        linux_node_config=_linux(plan),
        guest_accelerator=[_accelerator(plan.accelerator)] if plan.accelerator else None,
        **_hardware(plan),
        **_disks(plan),
        **_capacity(plan.capacity),
    )


def set_numa(pool: ContainerNodePool, plan: NodePlan) -> None:
    """What the bindings have no words for: which parts of a node pods get."""
    kubelet = "node_config.kubelet_config"
    if plan.memory_manager:
        set_beyond(pool, f"{kubelet}.memory_manager", {"policy": plan.memory_manager})
    manager = plan.topology_manager
    if manager:
        set_beyond(pool, f"{kubelet}.topology_manager", {"policy": manager.policy, "scope": manager.scope})


def _kubelet(plan: NodePlan) -> ContainerNodePoolNodeConfigKubeletConfig | None:
    if not plan.cpu_manager and not plan.pids_per_pod:
        return None
    return ContainerNodePoolNodeConfigKubeletConfig(
        cpu_manager_policy=plan.cpu_manager or None, pod_pids_limit=plan.pids_per_pod or None
    )


def _linux(plan: NodePlan) -> ContainerNodePoolNodeConfigLinuxNodeConfig | None:
    small, large = plan.huge_pages_2m or None, plan.huge_pages_1g or None
    if not (plan.sysctls or small or large or plan.transparent_huge_pages):
        return None
    return ContainerNodePoolNodeConfigLinuxNodeConfig(
        sysctls=plan.sysctls or None,
        hugepages_config=(
            ContainerNodePoolNodeConfigLinuxNodeConfigHugepagesConfig(
                hugepage_size2_m=small, hugepage_size1_g=large
            )
            if small or large
            else None
        ),
        transparent_hugepage_enabled=plan.transparent_huge_pages or None,
    )


def _accelerator(plan: AcceleratorPlan) -> ContainerNodePoolNodeConfigGuestAccelerator:
    return ContainerNodePoolNodeConfigGuestAccelerator(
        type=plan.type,
        count=plan.count,
        gpu_driver_installation_config=ContainerNodePoolNodeConfigGuestAcceleratorGpuDriverInstallationConfig(
            gpu_driver_version=plan.driver
        ),
        gpu_partition_size=plan.partition_size or None,
        gpu_sharing_config=(
            ContainerNodePoolNodeConfigGuestAcceleratorGpuSharingConfig(
                gpu_sharing_strategy=plan.sharing_strategy, max_shared_clients_per_gpu=plan.max_clients
            )
            if plan.sharing_strategy
            else None
        ),
    )


def _hardware(plan: NodePlan) -> _Hardware:
    return _Hardware(
        gvnic=ContainerNodePoolNodeConfigGvnic(enabled=True) if plan.gvnic else None,
        fast_socket=ContainerNodePoolNodeConfigFastSocket(enabled=True) if plan.fast_socket else None,
        advanced_machine_features=(
            ContainerNodePoolNodeConfigAdvancedMachineFeatures(threads_per_core=plan.threads_per_core)
            if plan.threads_per_core
            else None
        ),
        host_maintenance_policy=(
            ContainerNodePoolNodeConfigHostMaintenancePolicy(maintenance_interval=plan.host_maintenance)
            if plan.host_maintenance
            else None
        ),
    )


def _disks(plan: NodePlan) -> _Disks:
    return _Disks(
        disk_type=plan.disk_type or None,
        disk_size_gb=plan.disk_size_gb,
        gcfs_config=ContainerNodePoolNodeConfigGcfsConfig(enabled=plan.image_streaming),
        ephemeral_storage_local_ssd_config=(
            ContainerNodePoolNodeConfigEphemeralStorageLocalSsdConfig(local_ssd_count=plan.ephemeral_ssds)
            if plan.ephemeral_ssds
            else None
        ),
        local_nvme_ssd_block_config=(
            ContainerNodePoolNodeConfigLocalNvmeSsdBlockConfig(local_ssd_count=plan.raw_ssds)
            if plan.raw_ssds
            else None
        ),
        secondary_boot_disks=[
            ContainerNodePoolNodeConfigSecondaryBootDisks(
                disk_image=each.image, mode="CONTAINER_IMAGE_CACHE" if each.container_images else None
            )
            for each in plan.boot_disks
        ]
        or None,
    )


def _capacity(plan: CapacityPlan) -> _Capacity:
    named = plan.reservation_affinity == "SPECIFIC_RESERVATION"
    return _Capacity(
        spot=plan.spot or None,
        flex_start=plan.flex_start or None,
        max_run_duration=f"{plan.max_run_seconds}s" if plan.max_run_seconds else None,
        reservation_affinity=(
            ContainerNodePoolNodeConfigReservationAffinity(
                consume_reservation_type=plan.reservation_affinity,
                key="compute.googleapis.com/reservation-name" if named else None,
                values=[plan.reservation] if named else None,
            )
            if plan.reservation_affinity
            else None
        ),
    )
