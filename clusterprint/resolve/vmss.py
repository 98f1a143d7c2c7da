"""Decisions about `kind: vmss`."""

from pathlib import Path

from msgspec import UNSET

from clusterprint.blueprint.azure_machines import AzureCapacity, OsDisk
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.derived import (
    azure_names,
    azure_volumes,
    azurerm_provider,
    durations,
    ports,
    scale_sets,
    state_names,
    updates,
)
from clusterprint.errors import InternalError
from clusterprint.nodes.vmss import custom_data
from clusterprint.plan.azure import ImagePlan, OsDiskPlan
from clusterprint.plan.vmss import (
    BatchesPlan,
    CapacityPlan,
    HeadPlan,
    HealthEndpointPlan,
    InboundNatPlan,
    RepairAction,
    RepairPlan,
    ScaleSetPlan,
    VmssPlan,
)
from clusterprint.plan.vmss_nodes import (
    HEAD_KEY_TAG,
    HEALTH_PATH,
    TIME_TO_LIVE_TAG,
    NodeSettings,
)
from clusterprint.resolve import azure, azure_lustre, azure_network, kept_data, vmss_nodes
from clusterprint.resolve.state import resolve_labels, resolve_state
from clusterprint.resolve.vmss_outputs import resolve_outputs

# Families of small sizes that do not have it, or not all of them; all others of today do.
_WITHOUT_ACCELERATED_NETWORKING = ("Standard_A", "Standard_B")

# Ports are not counted out one by one, so that more nodes change nothing at the load balancer.
FORWARDED_PORTS = 1000

# Accelerators are scarce: it can take this long until the last node has one.
_WAIT_HOURS = 2

# Azure's default limits of sick nodes in a rolling upgrade.
_UNHEALTHY_PERCENT = 20

_REPAIR_ACTIONS: dict[str, RepairAction] = {
    "replace": "Replace",
    "restart": "Restart",
    "reimage": "Reimage",
}


def resolve(blueprint: VmssBlueprint, folder: Path) -> tuple[VmssPlan]:
    """Make the plan of a cluster of machines on Azure, which is one stack."""
    name = blueprint.name
    settings = vmss_nodes.resolve_settings(blueprint, folder)
    state = resolve_state(blueprint, state_names.stacks(blueprint.kind, name)[0])
    inbound_nat = _inbound_nat(blueprint)
    accounts = tuple(
        azure.resolve_account(blueprint, each) for each in azure_volumes.shares(blueprint.storage)
    )
    lustre = azure_lustre.resolve_lustre(blueprint)
    kept = kept_data.on_azure(accounts, lustre)
    plan = VmssPlan(
        name=name,
        subscription=blueprint.subscription,
        location=blueprint.location,
        tags={**resolve_labels(blueprint), **blueprint.tags},
        state=state,
        registered=azure.resolve_registered(blueprint, *(("Microsoft.StorageCache",) if lustre else ())),
        azurerm_provider=blueprint.terraform.azurerm_provider,
        resource_group=azure.resolve_resource_group(blueprint),
        network=azure_network.resolve_network(blueprint),
        proximity_group=azure_names.proximity_group(name) if blueprint.nodes.proximity_placement else "",
        inbound_nat=inbound_nat,
        identities=vmss_nodes.resolve_identities(name),
        grants=vmss_nodes.resolve_grants(blueprint),
        accounts=accounts,
        lustre=lustre,
        kept_data=kept,
        scripts=kept_data.scripts(kept),
        admin=azure.resolve_admin(blueprint.admin, folder),
        scale_set=_scale_set(blueprint, settings),
        head=_head(blueprint, settings),
        outputs=resolve_outputs(blueprint, state, inbound_nat),
        slurm=settings.slurm,
    )
    return (plan,)


def _scale_set(blueprint: VmssBlueprint, settings: NodeSettings) -> ScaleSetPlan:
    nodes = blueprint.nodes
    uniform = settings.orchestration == "uniform"
    return ScaleSetPlan(
        wait_hours=_WAIT_HOURS,
        orchestration=settings.orchestration,
        name=azure_names.scale_set(blueprint.name, settings.orchestration),
        size=nodes.size,
        instances=nodes.count,
        host_prefix=(
            azure_names.node_prefix(blueprint.name) if nodes.name_prefix is UNSET else nodes.name_prefix
        ),
        # InfiniBand partitions are those of placement groups. Without InfiniBand one group is only a limit,
        # and a way back from many to one there is not; so the number of nodes plays no part.
        single_placement_group=uniform and settings.infiniband,
        image=_image(blueprint),
        os_disk=_os_disk(blueprint, nodes.os_disk),
        security_type=nodes.security_type,
        encryption_at_host=blueprint.encryption_at_host,
        capacity=_capacity(nodes.capacity),
        zone=_zone(nodes),
        identity=vmss_nodes.NODES,
        custom_data=custom_data("node", settings),
        health=HealthEndpointPlan(port=ports.HEALTH, path=HEALTH_PATH),
        repair=_repair(blueprint),
        roll=nodes.update.strategy != "opportunistic",
        acceleration=azurerm_provider.acceleration(blueprint.terraform),
        batches=_batches(nodes),
        extra_tags=(
            {TIME_TO_LIVE_TAG: blueprint.time_to_live} if blueprint.time_to_live is not UNSET else {}
        ),
    )


def _image(blueprint: VmssBlueprint) -> ImagePlan:
    nodes = blueprint.nodes
    if nodes.image_id is not UNSET:
        return azure.own_image(nodes.image_id)
    image = scale_sets.node_image(blueprint)
    if not image:
        raise InternalError(f"nodes of size {nodes.size} passed validation without an image")
    return azure.resolve_image(image, has_plan=nodes.image_has_plan and nodes.image is not UNSET)


def _os_disk(blueprint: VmssBlueprint, disk: OsDisk) -> OsDiskPlan:
    given = blueprint.disk_encryption_set
    return OsDiskPlan(type=disk.type, size_gb=disk.size_gb, encryption_set="" if given is UNSET else given)


def _zone(nodes: VmssNodes) -> str:
    return "" if nodes.zone is UNSET else str(nodes.zone)


def _capacity(capacity: AzureCapacity) -> CapacityPlan:
    spot = capacity.model == "spot"
    deallocate = capacity.eviction_policy is not UNSET and capacity.eviction_policy == "deallocate"
    return CapacityPlan(
        priority="Spot" if spot else "Regular",
        eviction_policy="" if not spot else "Deallocate" if deallocate else "Delete",
        max_price=capacity.max_price if spot and capacity.max_price is not UNSET else 0,
        reservation=capacity.reservation if capacity.reservation is not UNSET else "",
        restore="" if capacity.spot_restore is UNSET else _shortest(capacity.spot_restore),
    )


def _repair(blueprint: VmssBlueprint) -> RepairPlan | None:
    repair = blueprint.health_checks.repair
    if repair is UNSET:
        return None
    minutes = durations.seconds(repair.grace_period) // 60
    return RepairPlan(grace_period=f"PT{minutes}M", action=_REPAIR_ACTIONS[repair.action])


def _batches(nodes: VmssNodes) -> BatchesPlan | None:
    """Azure's own limits of sick nodes, unless a batch is larger."""
    if nodes.update.strategy != "roll":
        return None
    percent = updates.percent(nodes.update, nodes.count)
    return BatchesPlan(
        percent=percent,
        unhealthy_percent=max(percent, _UNHEALTHY_PERCENT),
        unhealthy_upgraded_percent=_UNHEALTHY_PERCENT,
        pause="PT0S" if nodes.update.wait is UNSET else _shortest(nodes.update.wait),
    )


def _shortest(duration: str) -> str:
    """A duration in ISO 8601 with hours, as Azure's documentation writes it.

    The provider replaces a scale set whose duration reads otherwise than it is written.
    """
    minutes, seconds = divmod(durations.seconds(duration), 60)
    hours, minutes = divmod(minutes, 60)
    return "PT" + "".join(
        f"{each}{unit}" for each, unit in ((hours, "H"), (minutes, "M"), (seconds, "S")) if each
    )


def _head(blueprint: VmssBlueprint, settings: NodeSettings) -> HeadPlan:
    head, nodes = blueprint.head_node, blueprint.nodes
    name = azure_names.head(blueprint.name)
    runs_jobs = scale_sets.runs_jobs(head)
    size = scale_sets.head_size(head, nodes)
    return HeadPlan(
        name=name,
        interface=azure_names.head_interface(blueprint.name),
        public_ip=azure_names.public_ip(name) if head.public_ip else "",
        private_ip=azure_network.head_address(blueprint),
        size=size,
        accelerated_networking=not size.startswith(_WITHOUT_ACCELERATED_NETWORKING),
        in_scale_set=head.in_scale_set,
        image=_image(blueprint)
        if runs_jobs and head.image is UNSET
        else azure.resolve_image(scale_sets.head_image(blueprint)),
        os_disk=_os_disk(blueprint, head.os_disk),
        encryption_at_host=blueprint.encryption_at_host,
        zone=_zone(nodes),
        identity=vmss_nodes.HEAD,
        custom_data=custom_data("head", settings),
        kept_tag=HEAD_KEY_TAG,
    )


def _inbound_nat(blueprint: VmssBlueprint) -> InboundNatPlan | None:
    nat = blueprint.network.inbound_nat
    if nat is UNSET:
        return None
    balancer = azure_names.load_balancer(blueprint.name)
    return InboundNatPlan(
        name=balancer,
        address=azure_names.public_ip(balancer),
        first_port=nat.first_port,
        last_port=nat.first_port + FORWARDED_PORTS - 1,
    )
