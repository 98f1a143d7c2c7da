"""Ways into machines: kind vm by gcloud, kind vmss by ssh or Azure Bastion, as the outputs have them."""

import re
from collections.abc import Mapping, Sequence
from ipaddress import AddressValueError, IPv4Address

from clusterprint.access.command import Command, read
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.plan.vm import VmPlan
from clusterprint.plan.vmss import VmssPlan
from clusterprint.review.delta import get

SETUP_LOG = "/var/log/clusterprint/setup.log"
# cloud-init runs everything there.
_AZURE_LOG = "/var/log/cloud-init-output.log"
#: What outputs say where a name has to be filled in.
_NODE = "NODE"
_KEY_FILE = "PRIVATE_KEY_FILE"
_SHELL = ("gcloud", "compute", "ssh")
_HEAD = "head"


def vm_shell(plan: VmPlan, node: str, remote: Sequence[str] = ()) -> Command:
    """A shell on a node, by its name or what of it comes after the cluster's.

    If none is named, it is the controller of Slurm, or the first. With `remote`, that is run there instead.
    """
    ways = [found for line in plan.outputs.connect if (found := read(line)).words[:3] == _SHELL]
    if not ways:
        raise UsageError(
            "SSH is closed: network.ssh_source_ranges of the blueprint allows nobody "
            "(35.235.240.0/20 is Identity-Aware Proxy)"
        )
    known = {each.words[3]: each for each in ways}
    heads = [each.commands["controller"] for each in plan.outputs.more if each.name == "slurm"]
    first = read(heads[0]) if heads else ways[0]
    chosen = known.get(node) or known.get(f"{plan.name}-{node}") if node else first
    if chosen is None and _is_queued(plan, node):
        chosen = known.get(_NODE)
    if chosen is None:
        raise _no_node(node, [each for each in known if each != _NODE])
    words = tuple(node if each == _NODE and node else each for each in chosen.words)
    if _NODE in words:
        raise _no_node("", ())
    return Command((*words, *(("--", *remote) if remote else ())))


def _no_node(node: str, names: Sequence[str]) -> UsageError:
    if not node:
        return UsageError(
            "Compute Engine names these nodes: `clusterprint status` lists them; give NAME/NODE"
        )
    return UsageError(
        f"there is no node {node!r}; the nodes are {', '.join(names) or 'named by Compute Engine'}"
    )


def _is_queued(plan: VmPlan, node: str) -> bool:
    return bool(_zone_of_queued(plan, node))


def _zone_of_queued(plan: VmPlan, node: str) -> str:
    """The zone of a node that Compute Engine has named; empty for another name."""
    queued = (each.group for each in plan.groups if each.group.queued)
    return next(
        (
            each.parts[0].zone
            for each in queued
            if re.fullmatch(rf"{re.escape(each.base_instance_name)}-[0-9a-z]{{1,8}}", node)
        ),
        "",
    )


def vm_log(plan: VmPlan, node: str, *, lines: int, follow: bool, serial: bool) -> Command:
    """The log of a node's setup; with `serial`, what its console has printed, which needs no way in."""
    if not serial:
        return vm_shell(plan, node, _tail(lines, follow=follow))
    zones = {name: part.zone for each in plan.groups for part in each.group.parts for name in part.nodes}
    first = plan.slurm.controller if plan.slurm else next(iter(zones), "")
    name = (node if node in zones else f"{plan.name}-{node}") if node else first
    zone = zones.get(name, "")
    if not zone:
        name, zone = node, _zone_of_queued(plan, node)
    if not zone:
        raise _no_node(node, [*zones])
    verb = "tail-serial-port-output" if follow else "get-serial-port-output"
    return Command(
        ("gcloud", "compute", "instances", verb, name, f"--project={plan.project}", f"--zone={zone}")
    )


def _tail(lines: int, *, follow: bool) -> tuple[str, ...]:
    return ("sudo", "tail", "-n", str(lines), *(("-f",) if follow else ()), SETUP_LOG)


def vm_ray(plan: VmPlan) -> Mapping[str, str]:
    """The commands that are about Ray on machines. Raises UsageError if they have none."""
    for more in plan.outputs.more:
        if more.name == "ray" and "dashboard" in more.commands:
            return more.commands
    raise UsageError("these machines have no dashboard: ray or notebook in the blueprint asks for one")


def vm_notebook(plan: VmPlan) -> Command | None:
    """Opens the notebook of the first node that has one; the node prints the address."""
    for more in plan.outputs.more:
        if more.name == "notebook" and more.commands:
            return read(next(iter(more.commands.values())))
    return None


def vm_dashboard(plan: VmPlan, head: str, port: int) -> Command:
    """Ray's dashboard on a port of this machine, through a node; `head` is the address of Ray's head."""
    there = int(vm_ray(plan)["dashboard_url"].rpartition(":")[2])
    here = port or there
    return Command(
        (*vm_shell(plan, "").words, "--", "-N", "-L", f"{here}:{head}:{there}"), f"http://localhost:{here}"
    )


def vm_head(plan: VmPlan) -> Command:
    """Asks who Ray's head is: its address is all that is printed."""
    found = read(vm_ray(plan)["head"]).words
    return Command((*found[:-1], "--format=value(metadata.address)"))


def vmss_shell(
    plan: VmssPlan, node: str, connect: Sequence[str], key: str, remote: Sequence[str] = ()
) -> Command:
    """A shell on the head, or through it on a node. `connect` is the output of the stack."""
    ways = [read(line) for line in connect]
    to_head = node in ("", _HEAD)
    jumps = [each for each in ways if f"{plan.admin.username}@{_NODE}" in each.words]
    direct = [each for each in ways if each.words[0] == "ssh" and each not in jumps]
    if to_head and direct:
        return Command((*direct[0].words, *remote))
    if not to_head and jumps:
        words = (each.replace(_NODE, node) if each.endswith(f"@{_NODE}") else each for each in jumps[0].words)
        return Command((*words, *remote))
    bastion = next((each for each in ways if each.words[0] == "az"), None)
    if bastion is None or not to_head:
        raise UsageError("only the head can be reached from outside: log in there, and go on to the node")
    if not key:
        raise UsageError("Azure Bastion needs the private key: give it with --key FILE")
    words = (key if each == _KEY_FILE else each for each in bastion.words)
    return Command((*words, *(("--", *remote) if remote else ())))


def vmss_log(plan: VmssPlan, node: str, connect: Sequence[str], *, lines: int, follow: bool) -> Command:
    """The log of the setup of the head or of a node."""
    remote = ("sudo", "tail", "-n", str(lines), *(("-f",) if follow else ()), _AZURE_LOG)
    return vmss_shell(plan, node, connect, "", remote)


def azure_ways(outputs: Mapping[str, Mapping[str, object]], plan: VmssPlan) -> list[str]:
    """How to connect: the commands of the plan, with the addresses in the outputs of the stack.

    Nothing but addresses is taken from a state. Raises UsageError if the cluster does not exist,
    EnvironmentFailure if an address is missing or is none.
    """
    said = outputs.get(plan.name)
    if not said:
        raise UsageError(f"{plan.name} does not exist, or cannot be reached: clusterprint up creates it")
    given = get(said, "addresses.value")
    ways = list(plan.outputs.connect)
    for name, mark in plan.outputs.addresses.items():
        if mark.startswith("{") and any(mark in each for each in ways):
            ways = [each.replace(mark, _address(given, name, plan.name)) for each in ways]
    return ways


def _address(given: object, name: str, stack: str) -> str:
    value = get(given, name)
    try:
        return str(IPv4Address(value if isinstance(value, str) else ""))
    except AddressValueError:
        raise EnvironmentFailure(
            f"{name} in the output addresses of {stack} is not an IPv4 address, so nobody is connected to "
            "anything: clusterprint up writes the outputs anew"
        ) from None
