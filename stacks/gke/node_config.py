"""The node configuration of a pool, as far as its plan does not name the arguments."""

from cdktf_cdktf_provider_google.container_node_pool import (
    ContainerNodePoolNodeConfig,
    ContainerNodePoolNodeConfigConfidentialNodes,
    ContainerNodePoolNodeConfigGuestAccelerator,
    ContainerNodePoolNodeConfigGuestAcceleratorGpuDriverInstallationConfig,
    ContainerNodePoolNodeConfigGuestAcceleratorGpuSharingConfig,
    ContainerNodePoolNodeConfigReservationAffinity,
    ContainerNodePoolNodeConfigSecondaryBootDisks,
    ContainerNodePoolNodeConfigTaint,
)

from clusterprint.plan.gke.pools import AcceleratorPlan, CapacityPlan, NodePlan


def node_config(plan: NodePlan, *, email: str, labels: dict[str, str]) -> ContainerNodePoolNodeConfig:
    """Nodes that run as `email`, with resource labels `labels`."""
    seconds = plan.capacity.max_run_seconds
    return ContainerNodePoolNodeConfig(
        service_account=email,
        resource_labels=labels,
        taint=[
            ContainerNodePoolNodeConfigTaint(key=each.key, value=each.value, effect=each.effect)
            for each in plan.taints
        ]
        or None,
        metadata={"disable-legacy-endpoints": "true"},
        confidential_nodes=(
            ContainerNodePoolNodeConfigConfidentialNodes(
                enabled=True, confidential_instance_type=plan.confidential
            )
            if plan.confidential
            else None
        ),
        storage_pools=[plan.boot_disk_pool] if plan.boot_disk_pool else None,
        secondary_boot_disks=[
            ContainerNodePoolNodeConfigSecondaryBootDisks(
                disk_image=each.image, mode="CONTAINER_IMAGE_CACHE" if each.container_images else None
            )
            for each in plan.boot_disks
        ]
        or None,
        guest_accelerator=[_accelerator(plan.accelerator)] if plan.accelerator else None,
        max_run_duration=f"{seconds}s" if seconds else None,
        reservation_affinity=_affinity(plan.capacity) if plan.capacity.reservation_affinity else None,
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


def _affinity(plan: CapacityPlan) -> ContainerNodePoolNodeConfigReservationAffinity:
    named = plan.reservation_affinity == "SPECIFIC_RESERVATION"
    return ContainerNodePoolNodeConfigReservationAffinity(
        consume_reservation_type=plan.reservation_affinity,
        key="compute.googleapis.com/reservation-name" if named else None,
        values=[plan.reservation] if named else None,
    )
