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
    LinuxVirtualMachineScaleSetRollingUpgradePolicy,
    LinuxVirtualMachineScaleSetSourceImageReference,
    LinuxVirtualMachineScaleSetSpotRestore,
    LinuxVirtualMachineScaleSetTimeouts,
)
from constructs import Construct

from clusterprint.plan.azure import AdminPlan
from clusterprint.plan.vmss import BatchesPlan, ScaleSetPlan
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


class Uniform(Construct):
    """A uniform scale set. Running nodes keep their settings until they are recreated."""

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
        trusted = True if plan.security_type == "trusted_launch" else None
        wait = f"{plan.wait_hours}h"
        self.resource = addressed(
            LinuxVirtualMachineScaleSet(
                self,
                "Default",
                **of_any_set(place, wiring, plan),
                sku=plan.size,
                computer_name_prefix=plan.host_prefix,
                admin_username=admin.username,
                admin_ssh_key=admin_key(LinuxVirtualMachineScaleSetAdminSshKey, admin),
                custom_data=plan.custom_data,
                single_placement_group=plan.single_placement_group,
                # No extra instances that are deleted again: there is rarely GPU capacity for them.
                overprovision=False,
                upgrade_mode="Rolling" if plan.batches else "Manual",
                rolling_upgrade_policy=_rolling(plan.batches) if plan.batches else None,
                source_image_reference=image_reference(
                    LinuxVirtualMachineScaleSetSourceImageReference, plan.image
                ),
                plan=image_terms(LinuxVirtualMachineScaleSetPlan, plan.image),
                os_disk=os_disk(LinuxVirtualMachineScaleSetOsDisk, plan.os_disk),
                secure_boot_enabled=trusted,
                vtpm_enabled=trusted,
                network_interface=interface(
                    LinuxVirtualMachineScaleSetNetworkInterface,
                    LinuxVirtualMachineScaleSetNetworkInterfaceIpConfiguration,
                    wiring,
                ),
                identity=identity_of(LinuxVirtualMachineScaleSetIdentity, identity),
                boot_diagnostics=LinuxVirtualMachineScaleSetBootDiagnostics(),
                extension=_extensions(plan),
                automatic_instance_repair=repair(
                    LinuxVirtualMachineScaleSetAutomaticInstanceRepair, plan.repair
                ),
                spot_restore=_restore(plan),
                timeouts=LinuxVirtualMachineScaleSetTimeouts(create=wait, update=wait, delete=wait),
            )
        )
        accelerate_network(self.resource, plan.acceleration)
        set_arguments(self.resource, plan)


def _restore(plan: ScaleSetPlan) -> LinuxVirtualMachineScaleSetSpotRestore | None:
    if not plan.capacity.restore:
        return None
    return LinuxVirtualMachineScaleSetSpotRestore(enabled=True, timeout=plan.capacity.restore)


def _rolling(plan: BatchesPlan) -> LinuxVirtualMachineScaleSetRollingUpgradePolicy:
    return LinuxVirtualMachineScaleSetRollingUpgradePolicy(
        max_batch_instance_percent=plan.percent,
        max_unhealthy_instance_percent=plan.unhealthy_percent,
        max_unhealthy_upgraded_instance_percent=plan.unhealthy_upgraded_percent,
        pause_time_between_batches=plan.pause,
    )


def _extensions(plan: ScaleSetPlan) -> list[LinuxVirtualMachineScaleSetExtension] | None:
    if plan.repair is None and plan.batches is None:
        return None
    return [
        LinuxVirtualMachineScaleSetExtension(**health_extension(plan.health), auto_upgrade_minor_version=True)
    ]
