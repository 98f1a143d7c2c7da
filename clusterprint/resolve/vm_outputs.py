"""Outputs of a cluster of virtual machines on Google Cloud."""

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Network

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_groups, node_ray, node_settings, node_slurm, node_system, ports
from clusterprint.derived.ranges import IDENTITY_AWARE_PROXY
from clusterprint.plan.google import CommandsPlan, OutputsPlan
from clusterprint.plan.state import StatePlan
from clusterprint.plan.vm import NodeGroupPlan
from clusterprint.plan.vm_nodes import RayPlan
from clusterprint.resolve.state import state_address


def resolve_outputs(
    blueprint: VmBlueprint, state: StatePlan, resolved: Sequence[NodeGroupPlan]
) -> OutputsPlan:
    """`resolved` are the plans of the blueprint's groups, in their order."""
    return OutputsPlan(
        connect=tuple(
            command
            for group, plan in zip(node_groups.groups(blueprint), resolved, strict=True)
            for command in _connect(blueprint, group, plan)
        ),
        status=tuple(
            command
            for group, plan in zip(node_groups.groups(blueprint), resolved, strict=True)
            if not node_system.unsuitable(group)
            for command in _status(blueprint.project, plan)
        ),
        nodes=tuple(node for plan in resolved for node in plan.group.nodes),
        groups={plan.key: plan.group.nodes for plan in resolved if plan.key},
        addresses={
            node: node_groups.internal_name(node, blueprint.project, zone)
            for plan in resolved
            for node, zone in plan.group.zones.items()
        },
        state=state_address(state),
        more=tuple(_more(blueprint, resolved)),
    )


def _more(blueprint: VmBlueprint, resolved: Sequence[NodeGroupPlan]) -> Iterator[CommandsPlan]:
    """The outputs that only some clusters have."""
    ray = node_ray.ray(blueprint, node_groups.groups(blueprint)[0])
    if ray is not None:
        yield CommandsPlan(
            name="ray",
            description="How to find the head of Ray and reach its dashboard.",
            commands=dict(_ray(blueprint, ray, resolved)),
        )
    if slurm := dict(_slurm(blueprint, resolved)):
        yield CommandsPlan(
            name="slurm",
            description="How to log in to the controller of Slurm, and to see its partitions and its queue.",
            commands=slurm,
        )
    commands = dict(_notebooks(blueprint, resolved))
    if commands:
        yield CommandsPlan(
            name="notebook",
            description="How to open JupyterLab on each node: the command says the address, with its token.",
            commands=commands,
        )


def _notebooks(blueprint: VmBlueprint, resolved: Sequence[NodeGroupPlan]) -> Iterator[tuple[str, str]]:
    """One command that starts it, or finds it, and opens the tunnel that its address leads through."""
    for group, plan in zip(node_groups.groups(blueprint), resolved, strict=True):
        port = node_settings.notebook_port(blueprint, group)
        shells = tuple(_shells(blueprint, group, plan)) if port else ()
        for node, shell in zip(_nodes(plan), shells, strict=False):
            yield node, f"{shell} -- -t -L {port}:localhost:{port} clusterprint-notebook"
        if shells:
            yield "url", f"http://localhost:{port}/lab"


def _slurm(blueprint: VmBlueprint, resolved: Sequence[NodeGroupPlan]) -> Iterator[tuple[str, str]]:
    """Empty without Slurm, and where SSH gets in nowhere."""
    slurm = node_slurm.slurm(blueprint)
    for group, plan in zip(node_groups.groups(blueprint), resolved, strict=True):
        for node, shell in zip(_nodes(plan), _shells(blueprint, group, plan), strict=False):
            if slurm is not None and node == slurm.controller:
                yield "controller", shell
                yield "partitions", f"{shell} -- sinfo"
                yield "queue", f"{shell} -- squeue"


def _ray(
    blueprint: VmBlueprint, ray: RayPlan, resolved: Sequence[NodeGroupPlan]
) -> Iterator[tuple[str, str]]:
    """The head is elected, so the commands ask who it is."""
    ask = f"gcloud storage objects describe gs://{ray.bucket}/{ray.object} --raw"
    yield "head", f"{ask} --format='value(metadata.name,metadata.address)'"
    ways = [_shells(blueprint, *each) for each in zip(node_groups.groups(blueprint), resolved, strict=True)]
    shell = next((command for each in ways for command in each), None)
    if shell is not None:
        port = ports.RAY["dashboard"]
        yield (
            "dashboard",
            f"{shell} -- -N -L {port}:$({ask} --format='value(metadata.address)'):{port}",
        )
        yield "dashboard_url", f"http://localhost:{port}"
    if ray.autostop_seconds:
        for plan in resolved:
            for part in plan.group.parts:
                if part.nodes:
                    where = f"--project={blueprint.project} --zone={part.zone}"
                    yield (
                        f"start_{part.name}",
                        f"gcloud compute instances start {' '.join(part.nodes)} {where}",
                    )


def _connect(blueprint: VmBlueprint, group: VmNodes, plan: NodeGroupPlan) -> Iterator[str]:
    if plan.group.queued:
        where = f"--project={blueprint.project} --zone={plan.zone}"
        for part in plan.group.parts:
            yield f"gcloud compute instance-groups managed resize-requests list {part.name} {where}"
            yield f"gcloud compute instance-groups managed list-instances {part.name} {where}"
    yield from _shells(blueprint, group, plan)


def _shells(blueprint: VmBlueprint, group: VmNodes, plan: NodeGroupPlan) -> Iterator[str]:
    """The command that opens a shell on each node, where SSH gets in at all."""
    way_in = _way_in(blueprint, public_ip=group.public_ip)
    if way_in is not None:
        for node, zone in _nodes(plan).items():
            yield f"gcloud compute ssh {node} --project={blueprint.project} --zone={zone}{way_in}"


def _status(project_id: str, plan: NodeGroupPlan) -> Iterator[str]:
    for node, zone in _nodes(plan).items():
        where = f"--project={project_id} --zone={zone}"
        yield f"gcloud compute instances get-guest-attributes {node} {where} --query-path=clusterprint/"


def _nodes(plan: NodeGroupPlan) -> dict[str, str]:
    """Where each node is; Compute Engine names the nodes of a queued request when it grants it."""
    return {"NODE": plan.zone} if plan.group.queued else plan.group.zones


# Addresses of networks that are joined with the cluster's.
_JOINED = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")))


def _way_in(blueprint: VmBlueprint, *, public_ip: bool) -> str | None:
    """How SSH gets through the firewall: an option of gcloud, nothing for public addresses; None if not.

    The firewall of an existing network is its owner's: people of a shared network come by the usual way.
    """
    network = blueprint.network
    if network.existing is not UNSET:
        return "" if public_ip else " --tunnel-through-iap"
    allowed = [IPv4Network(each) for each in network.ssh_source_ranges]
    joined = [each for each in allowed if any(each.subnet_of(other) for other in _JOINED)]
    if public_ip and any(each not in joined and not each.subnet_of(IDENTITY_AWARE_PROXY) for each in allowed):
        return ""
    if any(each.overlaps(IDENTITY_AWARE_PROXY) for each in allowed):
        return " --tunnel-through-iap"
    return " --internal-ip" if joined else None
