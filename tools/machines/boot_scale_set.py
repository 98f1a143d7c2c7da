"""Slurm on machines of a scale set: a head and two nodes that really boot, without an Azure around them."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import boot_cloud
from boot_machine import Machine, eventually, expect, run
from msgspec.structs import replace

from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.load import load
from clusterprint.nodes.vmss import Role, own_files
from clusterprint.resolve.vmss_nodes import resolve_settings
from clusterprint.validate import validate

if TYPE_CHECKING:
    from boot import Bench

_BLUEPRINT = Path(__file__).resolve().parents[2] / "tests/goldens/vmss-hpc.yaml"
_LIBRARY = "/usr/local/lib/clusterprint"
_USER = "azureuser"
# Nobody but root is on these machines, and root is this user.
_SUDO = '#!/bin/sh\nshift\nexec "$@"\n'
_PASSWD, _SHADOW = f"{_USER}:x:0:0::/home/{_USER}:/bin/bash\n", f"{_USER}:*:19000:0:99999:7:::\n"
_STATUS = "var/log/aznhc-health.log.status"


def slurm_on_a_scale_set(bench: "Bench") -> None:
    """Nodes get the key from the head, and register; a sick one is drained, one that went is forgotten."""
    head, *nodes = machines = _machines(bench)
    for each in machines:
        each.boot()
    for each in machines:
        eventually(f"sshd of {each.instance.name}", partial(_answers, each), wanted=True)
        each.inside(f"{_LIBRARY}/steps/84-slurm")
    names = [each.instance.name for each in nodes]
    eventually("nodes", partial(_states, head), dict.fromkeys(names, "idle"), 180)
    said = head.inside("srun", "--partition=long", "--nodes=2", "hostname")
    expect("nodes of a job", sorted(said.split()), sorted(names))
    expect(
        "QOS", "urgent" in head.inside("sacctmgr", "--noheader", "show", "qos", "format=name"), wanted=True
    )
    eventually("accounts", partial(_accounts, head), {"COMPLETED"})
    from_node = nodes[0].inside("sinfo", "--noheader", "--format=%R").split()
    expect("partitions, as a node sees them", {*from_node}, {"long", "short"})

    sick = nodes[1]
    sick.write(_STATUS, "now failed\n")
    sick.attempt(f"{_LIBRARY}/check-for-slurm")
    eventually("a sick node", lambda: _states(head)[names[1]], "drained")
    reason = head.inside("sinfo", "--noheader", "--list-reasons", "--format=%E").strip()
    expect("reason", reason, "clusterprint: aznhc-health failed")
    sick.write(_STATUS, "now passed\n")
    sick.inside(f"{_LIBRARY}/check-for-slurm")
    eventually("a node that is well again", lambda: _states(head)[names[1]], "idle")

    head.inside("sed", "-i", "s/SlurmdTimeout=.*/SlurmdTimeout=10/", "/etc/slurm/slurm.conf")
    head.inside("systemctl", "start", "clusterprint-slurm.service")
    sick.cut_power()
    _list_nodes(head, nodes[:1])
    eventually("nodes without the one that went", partial(_states, head), {names[0]: "idle"}, 240)
    sick.boot()
    _list_nodes(head, nodes)
    eventually("nodes with the one that is back", partial(_states, head), dict.fromkeys(names, "idle"), 180)


def _machines(bench: "Bench") -> list[Machine]:
    document = load(_BLUEPRINT).document
    blueprint = validate(document).blueprint if document else None
    assert isinstance(blueprint, VmssBlueprint)  # noqa: S101 - a golden
    settings = resolve_settings(blueprint, _BLUEPRINT.parent)
    slurm = settings.slurm
    assert slurm is not None  # noqa: S101 - it asks for it
    made = []
    for number, name in enumerate((slurm.controller, "vm-000000", "vm-00000A")):
        instance = boot_cloud.Instance(name, str(2000 + number), f"10.0.0.{200 + number}", {})
        made.append(Machine(bench.scratch, bench.image, bench.trusted, instance))
    # The machines of the bench are smaller than those of the blueprint.
    small = tuple(replace(each, memory_per_cpu_mib=50) for each in slurm.partitions)
    slurm = replace(slurm, address=made[0].instance.address, partitions=small)
    settings = replace(settings, slurm=slurm, cluster_range="10.0.0.0/24", startup_script="", cloud_init="")
    hosts = "127.0.0.1 localhost\n" + "".join(
        f"{each.instance.address} {each.instance.name}\n" for each in made
    )
    roles: tuple[Role, ...] = ("head", "node", "node")
    for each, role in zip(made, roles, strict=True):
        for file in own_files(role, settings):
            each.write(file.path.lstrip("/"), file.text)
            (each.root / file.path.lstrip("/")).chmod(int(file.mode, 8))
        each.write("etc/hosts", hosts)
        each.write("etc/passwd", each.read("etc/passwd") + _PASSWD)
        each.write("etc/shadow", each.read("etc/shadow") + _SHADOW)
        each.write("usr/local/bin/sudo", _SUDO)
        (each.root / "usr/local/bin/sudo").chmod(0o755)
    head, *nodes = made
    _give_key(head, nodes)
    _list_nodes(head, nodes)
    return made


def _give_key(head: Machine, nodes: Sequence[Machine]) -> None:
    """The head's key, as nodes have it once they have read its tag."""
    folder = head.root / f"home/{_USER}/.ssh"
    folder.mkdir(parents=True, mode=0o700)
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "id_ed25519")
    for each in nodes:
        (each.root / f"home/{_USER}/.ssh").mkdir(parents=True, mode=0o700)
        each.write(f"home/{_USER}/.ssh/authorized_keys", (folder / "id_ed25519.pub").read_text())


def _list_nodes(head: Machine, nodes: Sequence[Machine]) -> None:
    """The list that the head writes by what Azure says."""
    rows = [f"{each.instance.name} {each.instance.address} {each.instance.id}\n" for each in nodes]
    head.write("var/lib/clusterprint/nodes", "".join(rows))


def _answers(machine: Machine) -> bool:
    try:
        return machine.inside("systemctl", "is-active", "ssh").strip() == "active"
    except (RuntimeError, OSError):
        return False


def _states(head: Machine) -> dict[str, str]:
    """The states of nodes in Slurm, by their names."""
    try:
        rows = head.inside("sinfo", "--noheader", "--Node", "--format=%N %T").splitlines()
    except RuntimeError:
        return {}
    return dict(row.split() for row in rows)


def _accounts(head: Machine) -> set[str]:
    words = ("--allusers", "--noheader", "--allocations", "--parsable2", "--format=State")
    return {*head.inside("sacct", *words).split()}


LIVES: tuple[Callable[["Bench"], None], ...] = (slurm_on_a_scale_set,)
