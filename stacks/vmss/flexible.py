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
from stacks.arguments import set_arguments
from stacks.azure.identities import Identity
from stacks.azure.place import Place
from stacks.vmss.health_extension import health_extension
from stacks.vmss.machine import (
    accelerate_network,
    admin_key,
    identity_of,
    image_reference,
    image_terms,
    interface,
    of_any_set,
    os_disk,
    repair,
)
from stacks.vmss.wiring import Wiring


class Flexible(Construct):
    """A flexible scale set. Running nodes keep their settings until they are recreated.

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
        wait = f"{plan.wait_hours}h"
        self.resource = addressed(
            OrchestratedVirtualMachineScaleSet(
                self,
                "Default",
                **of_any_set(place, wiring, plan),
                sku_name=plan.size,
                # Spread as far as there is room, the one number that every region has.
                platform_fault_domain_count=1,
                single_placement_group=False if plan.capacity.reservation else None,
                source_image_reference=image_reference(
                    OrchestratedVirtualMachineScaleSetSourceImageReference, plan.image
                ),
                plan=image_terms(OrchestratedVirtualMachineScaleSetPlan, plan.image),
                os_disk=os_disk(OrchestratedVirtualMachineScaleSetOsDisk, plan.os_disk),
                os_profile=_os_profile(admin, plan),
                network_interface=interface(
                    OrchestratedVirtualMachineScaleSetNetworkInterface,
                    OrchestratedVirtualMachineScaleSetNetworkInterfaceIpConfiguration,
                    wiring,
                ),
                identity=identity_of(OrchestratedVirtualMachineScaleSetIdentity, identity),
                boot_diagnostics=OrchestratedVirtualMachineScaleSetBootDiagnostics(),
                extension=_extensions(plan),
                automatic_instance_repair=repair(
                    OrchestratedVirtualMachineScaleSetAutomaticInstanceRepair, plan.repair
                ),
                timeouts=OrchestratedVirtualMachineScaleSetTimeouts(create=wait, update=wait, delete=wait),
            )
        )
        accelerate_network(self.resource, plan.acceleration)
        set_arguments(self.resource, plan)


def _os_profile(admin: AdminPlan, plan: ScaleSetPlan) -> OrchestratedVirtualMachineScaleSetOsProfile:
    return OrchestratedVirtualMachineScaleSetOsProfile(
        custom_data=plan.custom_data,
        linux_configuration=OrchestratedVirtualMachineScaleSetOsProfileLinuxConfiguration(
            admin_username=admin.username,
            admin_ssh_key=admin_key(
                OrchestratedVirtualMachineScaleSetOsProfileLinuxConfigurationAdminSshKey, admin
            ),
            computer_name_prefix=plan.host_prefix,
            disable_password_authentication=True,
        ),
    )


def _extensions(plan: ScaleSetPlan) -> list[OrchestratedVirtualMachineScaleSetExtension] | None:
    if plan.repair is None:
        return None
    return [
        OrchestratedVirtualMachineScaleSetExtension(
            **health_extension(plan.health), auto_upgrade_minor_version_enabled=True
        )
    ]
