"""Slurm on machines of a scale set: who configures what, how nodes get the key, and sick nodes."""

import pytest
from msgspec.structs import replace
from nodes.azure_world import uniform, uniform_vm
from nodes.machine import Machine, MakeMachine
from nodes.test_between_nodes import ADDRESSES, SSH, join
from nodes.test_vm_slurm import KEY, PARTITION, SLURM

from clusterprint.plan.slurm import SlurmQosPlan

QOS = SlurmQosPlan(
    name="urgent", priority=100, max_jobs_per_user=0, max_seconds=0, grace_seconds=0, preempts=()
)
OURS = replace(
    SLURM,
    controller="vmss-head",
    address="10.0.0.254",
    groups=("nodes",),
    partitions=(replace(PARTITION, groups=("nodes",)),),
    qos=(QOS,),
)
CONFIG = "etc/slurm/slurm.conf"


def with_slurm(made: Machine, name: str = "vm-000001") -> Machine:
    """A machine whose image has Slurm."""
    made.fake("hostname", f"printf '{name}\\n'")
    made.fake("sinfo", "[[ $1 != --version ]] || echo 'slurm 23.11.4'")
    made.fake("nvidia-smi", 'for each in 0 1 2 3 4 5 6 7; do echo "GPU $each: NVIDIA H200"; done')
    for program in (
        *("munged", "slurmd", "slurmctld", "slurmdbd", "mariadbd", "mariadb"),
        *("scontrol", "sacctmgr", "runuser"),
    ):
        made.fake(program)
    made.write("etc/munge/munge.key", "of the package", 0o400)
    made.write("dev/urandom", KEY)
    return made


@pytest.fixture
def head(machine: MakeMachine) -> Machine:
    """The head, which knows of two nodes."""
    made = with_slurm(machine("head", slurm=OURS), "vmss-head")
    made.fake("ssh", SSH)
    made.know("azure", uniform(*(uniform_vm(number) for number in range(2))))
    made.write("home/azureuser/.ssh/id_ed25519", "the head's\n", 0o600)
    assert made.run("update-hosts").returncode == 0
    return made


def set_up(made: Machine) -> None:
    done = made.run("steps/84-slurm")
    assert done.returncode == 0, done.stderr


def test_the_head_knows_the_partitions_and_nodes_do_not(head: Machine, machine: MakeMachine) -> None:
    """So another partition replaces no node."""
    node = with_slurm(machine("node", slurm=OURS))
    for each in (head, node):
        set_up(each)
        assert "SlurmctldHost=vmss-head(10.0.0.254)\n" in each.read(CONFIG)
        assert "DebugFlags=NO_CONF_HASH\n" in each.read(CONFIG)
        assert "AccountingStorageHost=10.0.0.254\n" in each.read(CONFIG)
    assert "NodeSet=nodes Feature=nodes\nPartitionName=gpu Nodes=nodes Default=YES" in head.read(CONFIG)
    assert "AccountingStorageEnforce=limits,qos" in head.read(CONFIG)
    assert "PartitionName" not in node.read(CONFIG)
    assert not (head.root / "etc/systemd/system/slurmd.service.d").exists()
    assert (head.root / "etc/slurm/slurmdbd.conf").exists()
    unit = node.read("etc/systemd/system/slurmd.service.d/clusterprint.conf")
    assert '-Z --conf "Feature=nodes Gres=gpu:8"' in unit
    assert node.read("etc/slurm/gres.conf") == "Name=gpu File=/dev/nvidia[0-7]\n"


def test_gpus_of_amd_are_the_devices_of_their_driver(machine: MakeMachine) -> None:
    node = with_slurm(machine("node", slurm=OURS, gpu_vendor="amd", gpus_per_node=2))
    for device, driver in (("renderD128", "hyperv_drm"), ("renderD130", "amdgpu"), ("renderD129", "amdgpu")):
        place = node.root / f"sys/class/drm/{device}/device"
        place.mkdir(parents=True)
        (place / "driver").symlink_to(f"/sys/bus/pci/drivers/{driver}")
    set_up(node)
    assert node.read("etc/slurm/gres.conf") == "Name=gpu File=/dev/dri/renderD129,/dev/dri/renderD130\n"


def test_the_head_hands_its_key_to_every_node(head: Machine, machine: MakeMachine) -> None:
    nodes = [
        join(head, with_slurm(machine("node", slurm=OURS), f"vm-{number:06}"), number) for number in (0, 1)
    ]
    for each in (head, *nodes):
        set_up(each)
    early = nodes[0].run("join-slurm")
    assert early.returncode == 75
    assert "vmss-head, has not given the key of the cluster yet" in early.stderr
    assert nodes[0].read("etc/munge/munge.key") == "of the package"

    (head.root / "etc/munge/munge.key").unlink()
    done = head.run("join-slurm")
    assert done.returncode == 0, done.stderr
    assert head.read("etc/munge/munge.key") == KEY
    for each in nodes:
        received = each.root / "var/lib/clusterprint/slurm/munge.key"
        assert received.read_text() == KEY
        assert received.stat().st_mode & 0o777 == 0o400
        assert each.run("join-slurm").returncode == 0
        assert each.read("etc/munge/munge.key") == KEY
    options = (head.state / "options").read_text("utf-8")
    assert "HostKeyAlias=id-0" in options


def test_only_nodes_without_the_key_are_reached_until_all_are_again(
    head: Machine, machine: MakeMachine
) -> None:
    join(head, with_slurm(machine("node", slurm=OURS)), 0)
    set_up(head)
    done = head.run("join-slurm")
    assert done.returncode == 0, done.stderr
    assert f"{ADDRESSES[1]}: unreachable: No route to host" in done.stderr
    assert len(head.calls("ssh")) == 2
    head.run("join-slurm")
    assert len(head.calls("ssh")) == 3
    join(head, with_slurm(machine("node", slurm=OURS)), 1)
    assert "unreachable" not in head.run("join-slurm").stderr
    head.run("join-slurm")
    assert len(head.calls("ssh")) == 4
    (head.root / "var/lib/clusterprint/slurm-given.confirmed").unlink()  # ten minutes later
    head.run("join-slurm")
    assert len(head.calls("ssh")) == 6
    head.write("etc/munge/munge.key", "n" * 128)
    head.run("join-slurm")
    assert len(head.calls("ssh")) == 8


def test_a_node_that_azure_no_longer_lists_is_forgotten(head: Machine) -> None:
    set_up(head)
    head.fake("sinfo", "printf 'vm-000000 10.0.0.10 idle none\\nvm-000009 10.0.0.19 down* none\\n'")
    head.run("join-slurm")
    assert "delete nodename=vm-000009" in head.calls("scontrol")
    assert not any("vm-000000" in each for each in head.calls("scontrol"))


@pytest.mark.parametrize(
    ("gpus", "check", "reason"),
    [
        ("echo 'GPU 0: NVIDIA H200'", "", "clusterprint: 1 GPUs, expected 8"),
        ("exit 9", "", "clusterprint: 0 GPUs, expected 8"),
        (None, "x passed\nx failed\n", "clusterprint: aznhc-health failed"),
        (None, "x failed\nx passed\n", ""),
    ],
)
def test_a_sick_node_is_drained(machine: MakeMachine, gpus: str | None, check: str, reason: str) -> None:
    node = with_slurm(machine("node", slurm=OURS))
    if gpus is not None:
        node.fake("nvidia-smi", gpus)
    node.write("var/log/aznhc-health.log.status", check)
    done = node.run("check-for-slurm")
    assert done.returncode == bool(reason)
    wanted = [f"update nodename=vm-000001 state=drain reason={reason}"] if reason else []
    assert node.calls("scontrol") == wanted
    node.fake("nvidia-smi", "for each in 0 1 2 3 4 5 6 7; do echo GPU 0; done")
    node.write("var/log/aznhc-health.log.status", "x passed\n")
    node.fake("sinfo", f"echo '{reason or 'a person'}'")
    assert node.run("check-for-slurm").returncode == 0
    resumed = "update nodename=vm-000001 state=resume" in node.calls("scontrol")
    assert resumed == bool(reason)
