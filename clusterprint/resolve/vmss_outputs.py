"""Outputs of a cluster of machines on Azure."""

from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import azure_names
from clusterprint.plan.state import StatePlan
from clusterprint.plan.vmss import InboundNatPlan, VmssOutputsPlan
from clusterprint.resolve import azure, azure_network
from clusterprint.resolve.state import state_address
from clusterprint.resolve.vmss_nodes import orchestration_of


def resolve_outputs(
    blueprint: VmssBlueprint, state: StatePlan, nat: InboundNatPlan | None
) -> VmssOutputsPlan:
    """`{head}` and `{balancer}` stand for addresses that are known when they are there."""
    home = f"/home/{blueprint.admin.username}"
    return VmssOutputsPlan(
        connect=tuple(_connect(blueprint, nat)),
        nodes=(_list_nodes(blueprint),),
        addresses=_addresses(blueprint, nat),
        host_files=(f"{home}/hostfile", f"{home}/hostfile-ip"),
        health=("check-node-health", "run-health-checks", "update-hosts", "run-nccl-test"),
        state=state_address(state),
    )


def _list_nodes(blueprint: VmssBlueprint) -> str:
    where = f"--subscription {blueprint.subscription} --resource-group '{azure.group_of(blueprint)}'"
    name = azure_names.scale_set(blueprint.name, orchestration_of(blueprint))
    return f"az vmss list-instances {where} --name {name} --output table"


def _connect(blueprint: VmssBlueprint, nat: InboundNatPlan | None) -> Iterator[str]:
    user, name = blueprint.admin.username, blueprint.name
    if blueprint.head_node.public_ip:
        yield f"ssh {user}@{{head}}"
        yield f"ssh -J {user}@{{head}} {user}@NODE"
    if blueprint.network.bastion and blueprint.network.existing is UNSET:
        head = azure.id_of(blueprint, "Microsoft.Compute/virtualMachines", azure_names.head(name))
        yield (
            f"az network bastion ssh --name {azure_names.bastion(name)}"
            f" --subscription {blueprint.subscription} --resource-group '{azure.group_of(blueprint)}'"
            f" --target-resource-id '{head}'"
            f" --auth-type ssh-key --username {user} --ssh-key PRIVATE_KEY_FILE"
        )
    if nat is not None:
        yield f"ssh -p {nat.first_port} {user}@{{balancer}}"


def _addresses(blueprint: VmssBlueprint, nat: InboundNatPlan | None) -> dict[str, str]:
    addresses = {"head": azure_network.head_address(blueprint) or "{private}"}
    if blueprint.head_node.public_ip:
        addresses["head_public"] = "{head}"
    if nat is not None:
        addresses["load_balancer"] = "{balancer}"
    return addresses
