"""Nodes are introduced to each other by the head: no private key travels, and nobody else is let in."""

import re
import shlex

import pytest
from nodes.azure_world import uniform, uniform_vm
from nodes.machine import Done, Machine, MakeMachine

HOST_KEYS = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + letter * 43 for letter in "xyz"]
ADDRESSES = ("10.0.0.10", "10.0.0.11", "10.0.0.12")

# ssh on the head: each address is a machine, which runs what it is told; one without is unreachable.
SSH = """
options=()
while [[ $1 != -- ]]; do options+=("$1"); shift; done
printf '%s\\n' "${options[*]}" >>"$WORLD/options"
[[ -x $WORLD/machine-$2 ]] || { echo "No route to host" >&2; exit 255; }
exec "$WORLD/machine-$2" $3
"""


@pytest.fixture
def head(machine: MakeMachine) -> Machine:
    """A head that has a key and knows of three nodes."""
    made = machine("head")
    made.fake("ssh", SSH)
    made.know("azure", uniform(*(uniform_vm(number) for number in range(3))))
    made.run_tool("mkdir", str(made.home / ".ssh"))
    made.write("home/azureuser/.ssh/id_ed25519", "the head's\n", 0o600)
    assert made.run("update-hosts").returncode == 0
    return made


def join(head: Machine, node: Machine, number: int) -> Machine:
    """Put a node where the head finds it."""
    node.write("etc/ssh/ssh_host_ed25519_key.pub", f"{HOST_KEYS[number]} root@node\n")
    node.fake("sudo", f'shift; exec "{node.root}$1" "$2"')
    environment = " ".join(f"{key}={shlex.quote(value)}" for key, value in node.environment().items())
    script = head.state / f"machine-{ADDRESSES[number]}"
    script.write_text(f'#!/bin/bash\nexec env -i {environment} "$@"\n', "utf-8")
    script.chmod(0o755)
    return node


def cluster(head: Machine, machine: MakeMachine, count: int = 3) -> list[Machine]:
    return [join(head, machine("node"), number) for number in range(count)]


def exchange(head: Machine) -> Done:
    return head.run("exchange-keys")


def authorized(node: Machine) -> str:
    return node.read("home/azureuser/.ssh/authorized_keys")


def public(node: Machine) -> str:
    return " ".join(node.read("home/azureuser/.ssh/id_ed25519.pub").split()[:2])


def test_every_node_lets_in_every_other(head: Machine, machine: MakeMachine) -> None:
    nodes = cluster(head, machine)
    done = exchange(head)
    assert done.returncode == 0, done.stderr
    lines = "".join(f'from="10.0.0.0/24" {public(node)} clusterprint-node\n' for node in nodes)
    assert len({public(node) for node in nodes}) == 3
    for node in nodes:
        assert authorized(node) == lines
        assert (node.home / ".ssh/authorized_keys").stat().st_mode & 0o777 == 0o600
        assert (node.home / ".ssh/id_ed25519").stat().st_mode & 0o777 == 0o600


def test_nodes_know_each_others_names_and_host_keys(head: Machine, machine: MakeMachine) -> None:
    for node in (cluster(head, machine), exchange(head))[0]:
        assert node.read("etc/ssh/known_hosts_clusterprint") == "".join(
            f"vm-00000{number},{ADDRESSES[number]} {HOST_KEYS[number]}\n" for number in range(3)
        )
        config = node.read("etc/ssh/ssh_config.d/60-clusterprint-nodes.conf")
        assert config.startswith("Host vm-000000 10.0.0.10\n    StrictHostKeyChecking yes\n")
        assert "\n10.0.0.11\tvm-000001\n" in node.read("etc/hosts")
        assert node.read("home/azureuser/hostfile") == "vm-000000\nvm-000001\nvm-000002\n"
        assert node.read("home/azureuser/hostfile-ip").splitlines() == list(ADDRESSES)


def test_no_private_key_leaves_its_machine(head: Machine, machine: MakeMachine) -> None:
    nodes = cluster(head, machine)
    exchange(head)
    secrets = {(node.home / ".ssh/id_ed25519").read_text("utf-8").splitlines()[3] for node in nodes}
    assert len(secrets) == 3
    for each in (head, *nodes):
        texts = [path.read_text("utf-8") for path in each.root.rglob("*") if path.is_file()]
        assert sum(secret in text for secret in secrets for text in texts) == (each is not head)


def test_keys_of_the_user_and_of_the_head_stay(head: Machine, machine: MakeMachine) -> None:
    (node,) = cluster(head, machine, 1)
    mine = 'ssh-rsa AAAA me@laptop\nfrom="10.0.0.0/24" ssh-ed25519 AAAA clusterprint-head\n'
    node.write("home/azureuser/.ssh/authorized_keys", mine)
    for _ in range(2):
        exchange(head)
        (head.root / "var/lib/clusterprint/exchanged").unlink()
    assert authorized(node) == f'{mine}from="10.0.0.0/24" {public(node)} clusterprint-node\n'


def test_a_node_that_went_is_trusted_no_longer(head: Machine, machine: MakeMachine) -> None:
    nodes = cluster(head, machine)
    exchange(head)
    head.know("azure", uniform(*(uniform_vm(number) for number in range(2))))
    assert head.run("update-hosts").returncode == 0
    assert exchange(head).returncode == 0
    assert public(nodes[2]) not in authorized(nodes[0])
    assert public(nodes[1]) in authorized(nodes[0])


def test_nodes_are_not_asked_for_nothing(head: Machine, machine: MakeMachine) -> None:
    cluster(head, machine)
    exchange(head)
    asked = len(head.calls("ssh"))
    assert exchange(head).returncode == 0
    assert len(head.calls("ssh")) == asked


def test_a_node_that_cannot_be_reached_is_named_and_the_others_are_introduced(
    head: Machine, machine: MakeMachine
) -> None:
    nodes = cluster(head, machine, 2)
    done = exchange(head)
    assert done.returncode == 1
    assert "10.0.0.12: unreachable: No route to host" in done.stderr
    assert public(nodes[1]) in authorized(nodes[0])
    late = join(head, machine("node"), 2)
    (head.root / "var/lib/clusterprint/exchanged.confirmed").unlink()  # two minutes later
    assert exchange(head).returncode == 0
    assert public(late) in authorized(nodes[0])


@pytest.mark.parametrize(
    "said",
    [
        "ssh-ed25519 AAAA short",
        f'{HOST_KEYS[0]}\ncommand="sh" {HOST_KEYS[1]}',
        f"{HOST_KEYS[0]}\n{HOST_KEYS[1]}\n{HOST_KEYS[2]}",
        "",
    ],
)
def test_what_is_no_pair_of_keys_is_handed_to_nobody(head: Machine, machine: MakeMachine, said: str) -> None:
    (good,) = cluster(head, machine, 1)
    bad = head.state / f"machine-{ADDRESSES[1]}"
    bad.write_text(f"#!/bin/bash\nprintf '%s\\n' {shlex.quote(said)}\n", "utf-8")
    bad.chmod(0o755)
    exchange(head)
    assert authorized(good) == f'from="10.0.0.0/24" {public(good)} clusterprint-node\n'


def test_a_machine_that_took_a_nodes_address_is_another_one(head: Machine, machine: MakeMachine) -> None:
    """Host keys are kept by the id that Azure gives a machine, in a file of root's own."""
    cluster(head, machine)
    exchange(head)
    options = (head.state / "options").read_text("utf-8")
    assert {"id-0", "id-1", "id-2"} == set(re.findall(r"HostKeyAlias=(\S+)", options))
    assert "StrictHostKeyChecking=accept-new" in options
    assert f"UserKnownHostsFile={head.root}/var/lib/clusterprint/known_hosts" in options
    assert options.count("-l azureuser") == options.count("\n")


def test_it_can_be_turned_off(machine: MakeMachine) -> None:
    head = machine("head", ssh_between_nodes=False)
    head.fake("ssh")
    head.write("var/lib/clusterprint/nodes", "a 10.0.0.10 id-0\n")
    head.write("home/azureuser/.ssh/id_ed25519", "the head's\n", 0o600)
    assert exchange(head).returncode == 0
    assert head.calls("ssh") == []


@pytest.mark.parametrize(
    "line",
    [
        "vm-0 10.0.0.10",
        f"vm-0 10.0.0.10 {HOST_KEYS[0]} {HOST_KEYS[1]} more",
        f"vm\t0 10.0.0.10 {HOST_KEYS[0]} {HOST_KEYS[1]}",
        f"$(id) 10.0.0.10 {HOST_KEYS[0]} {HOST_KEYS[1]}",
    ],
)
def test_a_node_takes_nothing_but_a_list_of_nodes(machine: MakeMachine, line: str) -> None:
    node = machine("node")
    good = f"vm-1 10.0.0.11 {HOST_KEYS[0]} {HOST_KEYS[1]}\n"
    done = node.run("node-keys", "trust", stdin=good + line + "\n")
    assert done.returncode == 1
    assert "invalid list of nodes" in done.stderr
    assert not (node.home / ".ssh/authorized_keys").exists()
    assert node.run("node-keys").returncode == 64


def test_a_head_that_runs_jobs_keeps_its_own_host_files(machine: MakeMachine) -> None:
    head = machine("head", head_is_node=True)
    head.write("home/azureuser/hostfile", "mine\n")
    line = f"vm-1 10.0.0.11 {HOST_KEYS[0]} {HOST_KEYS[1]}\n"
    assert head.run("node-keys", "trust", stdin=line).returncode == 0
    assert head.read("home/azureuser/hostfile") == "mine\n"
    assert HOST_KEYS[1] in authorized(head)
