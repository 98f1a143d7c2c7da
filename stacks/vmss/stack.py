"""The stack of `kind: vmss`."""

from collections.abc import Mapping

from cdktf import GcsBackend, TerraformStack
from cdktf_cdktf_provider_azurerm.provider import (
    AzurermProvider,
    AzurermProviderFeatures,
    AzurermProviderFeaturesStorage,
    AzurermProviderFeaturesVirtualMachineScaleSet,
)
from cdktf_cdktf_provider_azurerm.proximity_placement_group import ProximityPlacementGroup
from constructs import Construct

from clusterprint.plan.vmss import VmssPlan
from stacks.azure.identities import Grant, Identity
from stacks.azure.lustre import Lustre
from stacks.azure.network import Network
from stacks.azure.place import make_place
from stacks.azure.share import Share
from stacks.engines import require
from stacks.kept_data import KeptData
from stacks.vmss.balancer import Balancer
from stacks.vmss.flexible import Flexible
from stacks.vmss.head import Head, HeadInterface
from stacks.vmss.outputs import Outputs
from stacks.vmss.uniform import Uniform
from stacks.vmss.wiring import Wiring


def build(scope: Construct, plan: VmssPlan, built: Mapping[str, TerraformStack]) -> TerraformStack:  # noqa: ARG001 - refers to no other stack
    """Make the stack of a plan."""
    return VmssStack(scope, plan)


class VmssStack(TerraformStack):
    """A cluster of machines on Azure: names its parts and wires them."""

    def __init__(self, scope: Construct, plan: VmssPlan) -> None:
        super().__init__(scope, plan.name)
        GcsBackend(self, bucket=plan.state.bucket, prefix=plan.state.prefix)
        AzurermProvider(
            self,
            "azurerm",
            features=[_features(plan)],
            subscription_id=plan.subscription,
            # Its own choice takes rights that a deployer need not have, for services that nothing here uses.
            resource_provider_registrations="none",
            resource_providers_to_register=list(plan.registered) or None,
        )
        require(self, "azurerm", plan.azurerm_provider)
        self._plan = plan
        self._place = make_place(
            self,
            plan.resource_group,
            subscription=plan.subscription,
            location=plan.location,
            tags=plan.tags,
        )
        self._identities = {
            each.key: Identity(self, f"identity_{each.key}", place=self._place, plan=each)
            for each in plan.identities
        }
        self._network = Network(self, "network", place=self._place, plan=plan.network)
        self._shares = {
            each.key: Share(
                self, f"share_{each.key}", place=self._place, subnet_id=self._network.subnet_id, plan=each
            )
            for each in plan.accounts
            if each.create
        }
        self._lustre = (
            Lustre(
                self,
                f"lustre_{plan.lustre.key}",
                place=self._place,
                network=self._network.name,
                plan=plan.lustre,
            )
            if plan.lustre
            else None
        )
        self._volumes = [
            *(each.resource for each in self._shares.values()),
            *([self._lustre.resource] if self._lustre else []),
        ]
        KeptData(self, "kept_data", volumes=self._volumes, plan=plan.kept_data)
        self._balancer = (
            Balancer(self, "balancer", place=self._place, plan=plan.inbound_nat) if plan.inbound_nat else None
        )
        self._machines(self._wiring())

    def _wiring(self) -> Wiring:
        group = (
            ProximityPlacementGroup(self, "proximity", name=self._plan.proximity_group, **self._place.common)
            if self._plan.proximity_group
            else None
        )
        return Wiring(
            subnet_id=self._network.subnet_id,
            interface_group=self._network.interface_group,
            proximity_group=group.id if group else "",
            pool_id=self._balancer.pool_id if self._balancer else "",
            after=[
                *self._network.ready,
                *self._volumes,
                *([self._balancer.rule] if self._balancer else []),
            ],
        )

    def _machines(self, wiring: Wiring) -> None:
        """Machines come last: on their first boot they find their network and their shares."""
        plan, place = self._plan, self._place
        interface = HeadInterface(self, "head_interface", place=place, wiring=wiring, plan=plan.head)
        make = Uniform if plan.scale_set.orchestration == "uniform" else Flexible
        scale_set = make(
            self,
            "scale_set",
            place=place,
            wiring=wiring._replace(after=[*wiring.after, interface.resource]),
            identity=self._identities[plan.scale_set.identity],
            admin=plan.admin,
            plan=plan.scale_set,
        )
        head = Head(
            self,
            "head",
            place=place,
            wiring=wiring,
            interface=interface,
            identity=self._identities[plan.head.identity],
            scale_set_id=scale_set.resource.id if plan.head.in_scale_set else "",
            admin=plan.admin,
            plan=plan.head,
        )
        self._grants(scale_set.resource.id, head.resource.id)
        balancer = self._balancer.address if self._balancer else ""
        values = {
            "head": interface.public_address,
            "private": interface.private_address,
            "balancer": balancer,
        }
        Outputs(self, "outputs", values=values, plan=plan.outputs)

    def _grants(self, scale_set_id: str, head_id: str) -> None:
        accounts = {
            ("account", each.key): self._shares[each.key].account_id if each.create else each.id
            for each in self._plan.accounts
        }
        scopes = {
            ("scale_set", ""): scale_set_id,
            ("head", ""): head_id,
            ("resource_group", ""): self._place.group_id,
            ("lustre", ""): self._lustre.resource.id if self._lustre else "",
            **accounts,
        }
        for each in self._plan.grants:
            Grant(self, f"grant_{each.key}", identities=self._identities, scopes=scopes, plan=each)


def _features(plan: VmssPlan) -> AzurermProviderFeatures:
    """The provider's features: by default, it would recreate running nodes."""
    roll = plan.scale_set.roll
    return AzurermProviderFeatures(
        virtual_machine_scale_set=[
            AzurermProviderFeaturesVirtualMachineScaleSet(
                roll_instances_when_required=roll, reimage_on_manual_upgrade=roll
            )
        ],
        # The accounts let in the machines, and so not Terraform: it works through Azure's management API.
        storage=[AzurermProviderFeaturesStorage(data_plane_available=False)] if plan.accounts else None,
    )
