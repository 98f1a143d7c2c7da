"""The instance template of a node."""

from collections.abc import Sequence

from cdktf import TerraformResource, TerraformResourceLifecycle
from cdktf_cdktf_provider_google.compute_instance_template import (
    ComputeInstanceTemplate,
    ComputeInstanceTemplateDisk,
    ComputeInstanceTemplateDiskDiskEncryptionKey,
    ComputeInstanceTemplateGuestAccelerator,
    ComputeInstanceTemplateNetworkInterface,
    ComputeInstanceTemplateNetworkInterfaceAccessConfig,
    ComputeInstanceTemplateReservationAffinity,
    ComputeInstanceTemplateReservationAffinitySpecificReservation,
    ComputeInstanceTemplateServiceAccount,
)
from constructs import Construct

from clusterprint.plan.vm import (
    DataDiskPlan,
    InterfacePlan,
    SchedulingPlan,
    TemplatePlan,
)
from stacks.addresses import addressed
from stacks.arguments import set_arguments
from stacks.google.provider import set_beyond_in


class Template(Construct):
    """An instance template.

    Templates cannot change: Terraform makes a new one first, then moves the group over to it.
    `subnets` are the ids of the created subnets by key, `policies` the ids of placement policies, `remotes`
    what to mount by the names of volumes.
    `after` has to be there before it: with an existing network and account, nothing else waits for that.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        plan: TemplatePlan,
        labels: dict[str, str],
        subnets: dict[str, str],
        email: str,
        policies: Sequence[str],
        remotes: dict[str, str],
        after: Sequence[TerraformResource],
    ) -> None:
        super().__init__(scope, id)
        self.resource = addressed(
            ComputeInstanceTemplate(
                self,
                "Default",
                machine_type=plan.machine_type,
                labels=labels,
                metadata=plan.metadata | _mounted(plan, remotes),
                disk=[
                    _boot_disk(plan, labels),
                    *(_local_ssd(plan) for _ in range(plan.local_ssds)),
                    *(_data_disk(each, labels, remotes, plan.kms_key) for each in plan.data_disks),
                ],
                guest_accelerator=_guest_accelerator(plan),
                network_interface=[_network_interface(each, subnets) for each in plan.interfaces],
                reservation_affinity=_reservation_affinity(plan.scheduling),
                resource_policies=list(policies) or None,
                # Rights come from roles; the scope must not narrow them a second time.
                service_account=ComputeInstanceTemplateServiceAccount(email=email, scopes=["cloud-platform"]),
                lifecycle=TerraformResourceLifecycle(create_before_destroy=True),
                depends_on=list(after),
            )
        )
        set_arguments(self.resource, plan)
        # The boot disk comes first, then local SSDs.
        set_beyond_in(self.resource, "disk", 0, "storage_pool", plan.boot_disk_pool)
        for index, each in enumerate(plan.data_disks, 1 + plan.local_ssds):
            set_beyond_in(self.resource, "disk", index, "storage_pool", each.pool)


def _mounted(plan: TemplatePlan, remotes: dict[str, str]) -> dict[str, str]:
    """Nodes read it at each boot; addresses are known only once the file systems are there."""
    if not plan.mounted:
        return {}
    return {plan.mounted_key: "\n".join(f"{name}\t{remotes[name]}" for name in plan.mounted)}


def _boot_disk(plan: TemplatePlan, labels: dict[str, str]) -> ComputeInstanceTemplateDisk:
    return ComputeInstanceTemplateDisk(
        boot=True,
        device_name=plan.boot_disk_device,
        auto_delete=True,
        source_image=plan.image,
        disk_type=plan.boot_disk_type,
        disk_size_gb=plan.boot_disk_size_gb,
        disk_encryption_key=_key(plan.kms_key),
        labels=labels,
    )


def _key(name: str) -> ComputeInstanceTemplateDiskDiskEncryptionKey | None:
    return ComputeInstanceTemplateDiskDiskEncryptionKey(kms_key_self_link=name) if name else None


def _local_ssd(plan: TemplatePlan) -> ComputeInstanceTemplateDisk:
    return ComputeInstanceTemplateDisk(
        type="SCRATCH",
        disk_type="local-ssd",
        interface="NVME",
        disk_size_gb=plan.local_ssd_size_gb,
        auto_delete=True,
    )


def _data_disk(
    plan: DataDiskPlan, labels: dict[str, str], remotes: dict[str, str], kms_key: str
) -> ComputeInstanceTemplateDisk:
    shared = remotes[plan.volume] if plan.volume else plan.source
    if shared:
        return ComputeInstanceTemplateDisk(
            device_name=plan.device, source=shared, mode="READ_ONLY", auto_delete=False
        )
    return ComputeInstanceTemplateDisk(
        device_name=plan.device,
        disk_type=plan.type,
        disk_size_gb=plan.size_gb,
        provisioned_iops=plan.iops or None,
        provisioned_throughput=plan.throughput_mbps or None,
        disk_encryption_key=_key(kms_key),
        auto_delete=True,
        labels=labels,
    )


def _guest_accelerator(plan: TemplatePlan) -> list[ComputeInstanceTemplateGuestAccelerator] | None:
    if not plan.accelerator_type:
        return None
    return [ComputeInstanceTemplateGuestAccelerator(type=plan.accelerator_type, count=plan.accelerator_count)]


def _network_interface(
    plan: InterfacePlan, subnets: dict[str, str]
) -> ComputeInstanceTemplateNetworkInterface:
    return ComputeInstanceTemplateNetworkInterface(
        subnetwork=plan.existing_subnet or subnets[plan.subnet],
        nic_type=plan.nic_type,
        access_config=[ComputeInstanceTemplateNetworkInterfaceAccessConfig()] if plan.public_ip else None,
    )


def _reservation_affinity(plan: SchedulingPlan) -> ComputeInstanceTemplateReservationAffinity | None:
    if not plan.reservation:
        return None
    return ComputeInstanceTemplateReservationAffinity(
        type=plan.reservation_affinity,
        specific_reservation=ComputeInstanceTemplateReservationAffinitySpecificReservation(
            key="compute.googleapis.com/reservation-name", values=[plan.reservation]
        ),
    )
