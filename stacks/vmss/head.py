"""The machine that people log in to."""

from cdktf import TerraformResourceLifecycle
from cdktf_cdktf_provider_azurerm.linux_virtual_machine import (
    LinuxVirtualMachine,
    LinuxVirtualMachineAdminSshKey,
    LinuxVirtualMachineBootDiagnostics,
    LinuxVirtualMachineIdentity,
    LinuxVirtualMachineOsDisk,
    LinuxVirtualMachinePlan,
    LinuxVirtualMachineSourceImageReference,
)
from cdktf_cdktf_provider_azurerm.network_interface import NetworkInterface, NetworkInterfaceIpConfiguration
from cdktf_cdktf_provider_azurerm.network_interface_security_group_association import (
    NetworkInterfaceSecurityGroupAssociation,
)
from constructs import Construct

from clusterprint.plan.azure import AdminPlan
from clusterprint.plan.vmss import HeadPlan
from stacks.addresses import addressed
from stacks.arguments import set_arguments
from stacks.azure.identities import Identity
from stacks.azure.place import Place
from stacks.azure.public_address import public_address
from stacks.vmss.machine import admin_key, identity_of, image_reference, image_terms, os_disk
from stacks.vmss.wiring import Wiring


class HeadInterface(Construct):
    """The head's place in the network: it is there before any node takes the address."""

    def __init__(self, scope: Construct, id: str, *, place: Place, wiring: Wiring, plan: HeadPlan) -> None:
        super().__init__(scope, id)
        public = public_address(self, plan.public_ip, place) if plan.public_ip else None
        self.resource = addressed(
            NetworkInterface(
                self,
                "Default",
                name=plan.interface,
                accelerated_networking_enabled=plan.accelerated_networking,
                ip_configuration=[
                    NetworkInterfaceIpConfiguration(
                        name="primary",
                        subnet_id=wiring.subnet_id,
                        private_ip_address_allocation="Static" if plan.private_ip else "Dynamic",
                        private_ip_address=plan.private_ip or None,
                        public_ip_address_id=public.id if public else None,
                    )
                ],
                **place.common,
            )
        )
        if wiring.interface_group:
            addressed(
                NetworkInterfaceSecurityGroupAssociation(
                    self,
                    "guard",
                    network_interface_id=self.resource.id,
                    network_security_group_id=wiring.interface_group,
                )
            )
        self.public_address = public.ip_address if public else ""
        self.private_address = self.resource.private_ip_address


class Head(Construct):
    """The head. `scale_set_id` is the set that it is a member of, if any.

    Like a node it keeps what it was made from until it is recreated, with what people keep on its disk. Its
    key is in a tag that it writes itself.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        place: Place,
        wiring: Wiring,
        interface: HeadInterface,
        identity: Identity,
        scale_set_id: str,
        admin: AdminPlan,
        plan: HeadPlan,
    ) -> None:
        super().__init__(scope, id)
        image = plan.image
        self.resource = addressed(
            LinuxVirtualMachine(
                self,
                "Default",
                name=plan.name,
                computer_name=plan.name,
                size=plan.size,
                admin_username=admin.username,
                admin_ssh_key=admin_key(LinuxVirtualMachineAdminSshKey, admin),
                custom_data=plan.custom_data,
                network_interface_ids=[interface.resource.id],
                virtual_machine_scale_set_id=scale_set_id or None,
                # Beside the set there may be no room for another size, and the head is not in a hurry.
                proximity_placement_group_id=(wiring.proximity_group or None) if scale_set_id else None,
                zone=plan.zone or None,
                source_image_id=image.id or None,
                source_image_reference=image_reference(LinuxVirtualMachineSourceImageReference, plan.image),
                plan=image_terms(LinuxVirtualMachinePlan, plan.image),
                os_disk=os_disk(LinuxVirtualMachineOsDisk, plan.os_disk),
                identity=identity_of(LinuxVirtualMachineIdentity, identity),
                boot_diagnostics=LinuxVirtualMachineBootDiagnostics(),
                lifecycle=TerraformResourceLifecycle(
                    ignore_changes=["custom_data", "source_image_reference", f'tags["{plan.kept_tag}"]']
                ),
                depends_on=list(wiring.after),
                **place.common,
            )
        )
        set_arguments(self.resource, plan)
