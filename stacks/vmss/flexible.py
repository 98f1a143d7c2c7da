"""A scale set of ordinary virtual machines that belong together."""

from cdktf_cdktf_provider_azurerm.orchestrated_virtual_machine_scale_set import (
    OrchestratedVirtualMachineScaleSet,
    OrchestratedVirtualMachineScaleSetAutomaticInstanceRepair,
    OrchestratedVirtualMachineScaleSetBootDiagnostics,
    OrchestratedVirtualMachineScaleSetExtension,
    OrchestratedVirtualMachineScaleSetIdentity,
    OrchestratedVirtualMachineScaleSetNetworkInterface,
    OrchestratedVirtualMachineScaleSetNetworkInterfaceIpConfiguration,
    OrchestratedVirtualMachineScaleSetOsDisk,
    OrchestratedVirtualMachineScaleSetOsProfile,
    OrchestratedVirtualMachineScaleSetOsProfileLinuxConfiguration,
    OrchestratedVirtualMachineScaleSetOsProfileLinuxConfigurationAdminSshKey,
    OrchestratedVirtualMachineScaleSetPlan,
    OrchestratedVirtualMachineScaleSetSourceImageReference,
    OrchestratedVirtualMachineScaleSetTimeouts,
)
from constructs import Construct

from clusterprint.plan.azure import AdminPlan
from clusterprint.plan.vmss import ScaleSetPlan
from stacks.addresses import addressed
from stacks.azure.identities import Identity
from stacks.azure.place import Place
from stacks.vmss.health_extension import health_extension
from stacks.vmss.wiring import PATIENCE, Wiring


class Flexible(Construct):
    """A flexible scale set. Running nodes keep what they were made from until they are made anew.

    The number of placement groups is left to Azure, as its documentation asks, except where a capacity
    reservation needs several.
    """

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
        self.resource = addressed(
            OrchestratedVirtualMachineScaleSet(
                self,
                "Default",
                name=plan.name,
                resource_group_name=place.group,
                location=place.location,
                tags={**place.tags, **plan.extra_tags},
                sku_name=plan.size,
                instances=plan.instances,
                # Spread as far as there is room, the one number that every region has.
                platform_fault_domain_count=1,
                single_placement_group=False if capacity.reservation else None,
                zones=[plan.zone] if plan.zone else None,
                source_image_id=image.id or None,
                source_image_reference=None if image.id else _image_reference(plan),
                plan=_marketplace_plan(plan),
                os_disk=OrchestratedVirtualMachineScaleSetOsDisk(
                    caching="ReadWrite",
                    storage_account_type=plan.os_disk.type,
                    disk_size_gb=plan.os_disk.size_gb,
                ),
                os_profile=_os_profile(admin, plan),
                network_interface=[_interface(wiring)],
                identity=OrchestratedVirtualMachineScaleSetIdentity(
                    type="UserAssigned", identity_ids=[identity.resource.id]
                ),
                priority=capacity.priority,
                eviction_policy=capacity.eviction_policy or None,
                max_bid_price=capacity.max_price or None,
                capacity_reservation_group_id=capacity.reservation or None,
                proximity_placement_group_id=wiring.proximity_group or None,
                boot_diagnostics=OrchestratedVirtualMachineScaleSetBootDiagnostics(),
                extension=_extensions(plan),
                automatic_instance_repair=_repair(plan),
                timeouts=OrchestratedVirtualMachineScaleSetTimeouts(
                    create=PATIENCE, update=PATIENCE, delete=PATIENCE
                ),
                depends_on=list(wiring.after),
            )
        )


def _image_reference(plan: ScaleSetPlan) -> OrchestratedVirtualMachineScaleSetSourceImageReference:
    image = plan.image
    return OrchestratedVirtualMachineScaleSetSourceImageReference(
        publisher=image.publisher, offer=image.offer, sku=image.sku, version=image.version
    )


def _marketplace_plan(plan: ScaleSetPlan) -> OrchestratedVirtualMachineScaleSetPlan | None:
    image = plan.image
    if not image.has_plan:
        return None
    return OrchestratedVirtualMachineScaleSetPlan(
        name=image.sku, product=image.offer, publisher=image.publisher
    )


def _os_profile(admin: AdminPlan, plan: ScaleSetPlan) -> OrchestratedVirtualMachineScaleSetOsProfile:
    key = OrchestratedVirtualMachineScaleSetOsProfileLinuxConfigurationAdminSshKey(
        username=admin.username, public_key=admin.public_key
    )
    return OrchestratedVirtualMachineScaleSetOsProfile(
        custom_data=plan.custom_data,
        linux_configuration=OrchestratedVirtualMachineScaleSetOsProfileLinuxConfiguration(
            admin_username=admin.username,
            admin_ssh_key=[key],
            computer_name_prefix=plan.host_prefix,
            disable_password_authentication=True,
        ),
    )


def _interface(wiring: Wiring) -> OrchestratedVirtualMachineScaleSetNetworkInterface:
    return OrchestratedVirtualMachineScaleSetNetworkInterface(
        name="primary",
        primary=True,
        enable_accelerated_networking=True,
        network_security_group_id=wiring.interface_group or None,
        ip_configuration=[
            OrchestratedVirtualMachineScaleSetNetworkInterfaceIpConfiguration(
                name="primary",
                primary=True,
                subnet_id=wiring.subnet_id,
                load_balancer_backend_address_pool_ids=wiring.pool_ids,
            )
        ],
    )


def _extensions(plan: ScaleSetPlan) -> list[OrchestratedVirtualMachineScaleSetExtension] | None:
    if plan.repair is None:
        return None
    return [
        OrchestratedVirtualMachineScaleSetExtension(
            **health_extension(plan.health), auto_upgrade_minor_version_enabled=True
        )
    ]


def _repair(plan: ScaleSetPlan) -> OrchestratedVirtualMachineScaleSetAutomaticInstanceRepair | None:
    if plan.repair is None:
        return None
    return OrchestratedVirtualMachineScaleSetAutomaticInstanceRepair(
        enabled=True, grace_period=plan.repair.grace_period, action=plan.repair.action
    )
