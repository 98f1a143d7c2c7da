"""A scale set of identical instances."""

from cdktf_cdktf_provider_azurerm.linux_virtual_machine_scale_set import (
    LinuxVirtualMachineScaleSet,
    LinuxVirtualMachineScaleSetAdminSshKey,
    LinuxVirtualMachineScaleSetAutomaticInstanceRepair,
    LinuxVirtualMachineScaleSetBootDiagnostics,
    LinuxVirtualMachineScaleSetExtension,
    LinuxVirtualMachineScaleSetIdentity,
    LinuxVirtualMachineScaleSetNetworkInterface,
    LinuxVirtualMachineScaleSetNetworkInterfaceIpConfiguration,
    LinuxVirtualMachineScaleSetOsDisk,
    LinuxVirtualMachineScaleSetPlan,
    LinuxVirtualMachineScaleSetSourceImageReference,
    LinuxVirtualMachineScaleSetTimeouts,
)
from constructs import Construct

from clusterprint.plan.azure import AdminPlan
from clusterprint.plan.vmss import ScaleSetPlan
from stacks.addresses import addressed
from stacks.azure.identities import Identity
from stacks.azure.place import Place
from stacks.vmss.health_extension import health_extension
from stacks.vmss.wiring import PATIENCE, Wiring


class Uniform(Construct):
    """A uniform scale set. Running nodes keep what they were made from until they are made anew."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        wiring: Wiring,
        identity: Identity,
        admin: AdminPlan,
        plan: ScaleSetPlan,
    ) -> None:
        super().__init__(scope, id)
        image, capacity = plan.image, plan.capacity
        trusted = True if plan.security_type == "trusted_launch" else None
        self.resource = addressed(
            LinuxVirtualMachineScaleSet(
                self,
                "Default",
                name=plan.name,
                resource_group_name=place.group,
                location=place.location,
                tags={**place.tags, **plan.extra_tags},
                sku=plan.size,
                instances=plan.instances,
                computer_name_prefix=plan.host_prefix,
                admin_username=admin.username,
                admin_ssh_key=[
                    LinuxVirtualMachineScaleSetAdminSshKey(
                        username=admin.username, public_key=admin.public_key
                    )
                ],
                custom_data=plan.custom_data,
                single_placement_group=plan.single_placement_group,
                # More instances than asked for would be made and deleted again: GPUs are not to be had twice.
                overprovision=False,
                upgrade_mode="Manual",
                zones=[plan.zone] if plan.zone else None,
                source_image_id=image.id or None,
                source_image_reference=None if image.id else _image_reference(plan),
                plan=_marketplace_plan(plan),
                os_disk=LinuxVirtualMachineScaleSetOsDisk(
                    caching="ReadWrite",
                    storage_account_type=plan.os_disk.type,
                    disk_size_gb=plan.os_disk.size_gb,
                ),
                secure_boot_enabled=trusted,
                vtpm_enabled=trusted,
                network_interface=[_interface(wiring)],
                identity=LinuxVirtualMachineScaleSetIdentity(
                    type="UserAssigned", identity_ids=[identity.resource.id]
                ),
                priority=capacity.priority,
                eviction_policy=capacity.eviction_policy or None,
                max_bid_price=capacity.max_price or None,
                capacity_reservation_group_id=capacity.reservation or None,
                proximity_placement_group_id=wiring.proximity_group or None,
                boot_diagnostics=LinuxVirtualMachineScaleSetBootDiagnostics(),
                extension=_extensions(plan),
                automatic_instance_repair=_repair(plan),
                timeouts=LinuxVirtualMachineScaleSetTimeouts(
                    create=PATIENCE, update=PATIENCE, delete=PATIENCE
                ),
                depends_on=list(wiring.after),
            )
        )


def _image_reference(plan: ScaleSetPlan) -> LinuxVirtualMachineScaleSetSourceImageReference:
    image = plan.image
    return LinuxVirtualMachineScaleSetSourceImageReference(
        publisher=image.publisher, offer=image.offer, sku=image.sku, version=image.version
    )


def _marketplace_plan(plan: ScaleSetPlan) -> LinuxVirtualMachineScaleSetPlan | None:
    image = plan.image
    if not image.has_plan:
        return None
    return LinuxVirtualMachineScaleSetPlan(name=image.sku, product=image.offer, publisher=image.publisher)


def _interface(wiring: Wiring) -> LinuxVirtualMachineScaleSetNetworkInterface:
    return LinuxVirtualMachineScaleSetNetworkInterface(
        name="primary",
        primary=True,
        enable_accelerated_networking=True,
        network_security_group_id=wiring.interface_group or None,
        ip_configuration=[
            LinuxVirtualMachineScaleSetNetworkInterfaceIpConfiguration(
                name="primary",
                primary=True,
                subnet_id=wiring.subnet_id,
                load_balancer_backend_address_pool_ids=wiring.pool_ids,
            )
        ],
    )


def _extensions(plan: ScaleSetPlan) -> list[LinuxVirtualMachineScaleSetExtension] | None:
    if plan.repair is None:
        return None
    return [
        LinuxVirtualMachineScaleSetExtension(**health_extension(plan.health), auto_upgrade_minor_version=True)
    ]


def _repair(plan: ScaleSetPlan) -> LinuxVirtualMachineScaleSetAutomaticInstanceRepair | None:
    if plan.repair is None:
        return None
    return LinuxVirtualMachineScaleSetAutomaticInstanceRepair(
        enabled=True, grace_period=plan.repair.grace_period, action=plan.repair.action
    )
