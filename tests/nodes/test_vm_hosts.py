"""Nodes of kind vm that work together: they find each other, and let each other's users in."""

import subprocess
from typing import Any

import pytest
from nodes.conftest import need
from nodes.identity import audience, certificates, signer, token
from nodes.vm_machine import MakeVmMachine, VmMachine


def key(letter: str) -> str:
    return f"AAAAC3NzaC1lZDI1NTE5AAAAI{letter * 43}"


def other(
    number: int, *, group: str = "nodes", slots: int = 8, letter: str = "b", zone: str = "z-a"
) -> dict[str, Any]:
    """Another node of the cluster."""
    return vouched(
        {
            "id": f"100{number}",
            "name": f"spani-{number}",
            "zone": zone,
            "address": f"10.0.0.{number + 2}",
            "said": f"{group} {slots} ssh-ed25519 {key(letter)}",
        }
    )


def vouched(machine: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A machine with a token of its own behind what it says, in place of one that is there."""
    what = " ".join(machine["said"].split(" ")[:4])
    identity = token(what.rpartition(" ")[2], (machine["id"], machine["name"], machine["zone"]), **changes)
    return {**machine, "said": f"{what} {identity}"}


THIS = {"id": "1000", "name": "spani-0", "zone": "z-a", "address": "10.0.0.2", "said": "itself"}


def node_with(vm_machine: MakeVmMachine, *others: dict[str, Any], **changes: object) -> VmMachine:
    node = vm_machine(**{"hosts": True, **changes})
    node.write("etc/ssh/ssh_host_ed25519_key.pub", f"ssh-ed25519 {key('a')} root@spani-0\n")
    own = {audience(key("a")): token(key("a"), ("1000", "spani-0", "z-a"))}
    node.world(machines=[THIS, *others], identity=own, certificates=certificates(signer()))
    node.fake("sshd", "[[ $1 != -T ]] || echo 'hostbasedauthentication yes'")
    return node


def hosts(node: VmMachine, name: str = "all") -> list[str]:
    return node.read(f"var/lib/clusterprint/hosts/{name}").splitlines()


def test_the_nodes_are_written_down_by_name_address_and_slots(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, other(2), other(1), other(10, zone="z-b"))
    assert node.boot().returncode == 0, node.log()
    assert hosts(node) == [f"spani-{n} slots=8" for n in (0, 1, 10, 2)], node.log()
    assert hosts(node, "all-ip") == [f"10.0.0.{n} slots=8" for n in (2, 3, 12, 4)]
    assert node.steps() == {"hosts": "done"}
    said = f"nodes 8 ssh-ed25519 {key('a')} {token(key('a'), ('1000', 'spani-0', 'z-a'))}"
    assert node.guest_attributes()["node"] == said
    assert (node.state / "enabled/clusterprint-hosts.timer").exists()
    assert "Bearer" not in "".join(node.calls("curl"))


def test_groups_have_lists_of_their_own_and_machines_without_gpus_count_processors(
    vm_machine: MakeVmMachine,
) -> None:
    node = node_with(vm_machine, other(1, group="compute"), gpus=0, group="login")
    node.fake("nproc", "echo 4")
    node.boot()
    assert hosts(node) == ["spani-0 slots=4", "spani-1 slots=8"]
    assert hosts(node, "group-login") == ["spani-0 slots=4"]
    assert hosts(node, "group-compute-ip") == ["10.0.0.3 slots=8"]
    node.world(machines=[THIS])
    assert node.run("update-hosts").returncode == 0
    assert hosts(node, "group-compute") == []


def test_a_node_that_joins_an_hour_later_is_found(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    assert node.boot().returncode == 0
    assert hosts(node) == ["spani-0 slots=8"]
    late = other(1)
    node.world(machines=[THIS, {**late, "said": None}])
    done = node.run("update-hosts")
    assert done.returncode == 0
    assert "skipped: 1 machines" in done.stderr
    assert done.stderr.endswith("such as spani-1\n")
    assert hosts(node) == ["spani-0 slots=8"]
    node.world(machines=[THIS, late])
    node.run("update-hosts")
    assert hosts(node) == ["spani-0 slots=8", "spani-1 slots=8"]


def test_nobody_is_asked_twice_and_what_was_said_first_counts(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, other(1), ssh=True)
    node.boot()
    node.world(machines=[THIS, other(1, letter="e")])
    node.run("update-hosts")
    assert node.known("google")["asked_for"] == ["spani-0", "spani-1"]
    assert key("e") not in node.read("etc/ssh/ssh_known_hosts")


def test_a_node_that_was_recreated_is_known_by_its_new_key(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, other(1), ssh=True)
    node.boot()
    node.world(machines=[THIS, vouched({**other(1, letter="e"), "id": "2001"})])
    node.run("update-hosts")
    known = node.read("etc/ssh/ssh_known_hosts")
    assert key("e") in known
    assert key("b") not in known


@pytest.mark.parametrize(
    "said", ["nodes 8 ssh-rsa AAAA", "nodes 8 ssh-ed25519 x\nnodes 8 y", "* 1 a b", "$(id) 8 ssh-ed25519 x"]
)
def test_who_talks_nonsense_is_left_out(vm_machine: MakeVmMachine, said: str) -> None:
    node = node_with(vm_machine, {**other(1), "said": said}, ssh=True)
    assert node.boot().returncode == 0
    assert hosts(node) == ["spani-0 slots=8"]
    assert "spani-1" not in node.read("etc/ssh/shosts.equiv")


def test_when_nobody_answers_the_lists_stay(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, other(1))
    node.boot()
    node.world(down=True)
    done = node.run("update-hosts")
    assert done.returncode == 1
    assert "were not changed" in done.stderr
    assert len(hosts(node)) == 2


def test_a_cluster_without_the_right_to_look_fails_with_a_reason(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    node.world(failures=1000)
    assert node.boot().returncode == 1
    assert "could not list the nodes" in node.status()["steps"][0]["message"]
    assert len(node.calls("sleep")) == 19


def test_nodes_vouch_for_their_users(vm_machine: MakeVmMachine) -> None:
    need("ssh-keygen", "ssh")
    node = node_with(vm_machine, other(1), ssh=True)
    node.write("etc/ssh/ssh_known_hosts", "somewhere ssh-ed25519 AAAA\n")
    assert node.boot().returncode == 0, node.log()
    assert node.steps() == {"hosts": "done", "ssh": "done"}
    known = node.root / "etc/ssh/ssh_known_hosts"
    for name in ("spani-1", "spani-1.z-a.c.my-project.internal", "spani-1.c.my-project.internal", "10.0.0.3"):
        found = node.run_tool("ssh-keygen", "-F", name, "-f", str(known))
        assert key("b") in found.stdout, name
        assert name in node.read("etc/ssh/shosts.equiv").splitlines()
        asked = subprocess.run(
            ["ssh", "-G", "-F", str(node.root / "etc/ssh/ssh_config.d/61-clusterprint-nodes.conf"), name],
            capture_output=True,
            text=True,
            check=True,
        )
        assert "hostbasedauthentication yes" in asked.stdout
    assert node.read("etc/ssh/ssh_known_hosts").startswith("somewhere ")
    assert "reload-or-restart ssh.service" in node.calls("systemctl")
    before = known.read_text("utf-8")
    node.run("update-hosts")
    assert known.read_text("utf-8") == before


def test_an_sshd_that_does_not_take_the_settings_keeps_its_own(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, ssh=True)
    node.fake("sshd", "echo 'Bad configuration option' >&2; exit 255")
    assert node.boot().returncode == 1
    assert "which were removed" in node.status()["steps"][1]["message"]
    assert not (node.root / "etc/ssh/sshd_config.d/60-clusterprint.conf").exists()
    assert not any("reload" in call for call in node.calls("systemctl") if "ssh" in call)


def test_an_sshd_that_includes_nothing_has_the_settings_in_its_own_file(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, ssh=True)
    node.write("etc/ssh/sshd_config", "PermitRootLogin no\n")
    config = node.root / "etc/ssh/sshd_config"
    node.fake("sshd", f'[[ $1 != -T ]] || "$REAL/grep" -i "^hostbased" {config} || true')
    assert node.boot().returncode == 0, node.log()
    assert node.boot().returncode == 0, node.log()
    written = config.read_text("utf-8")
    assert written.startswith("# clusterprint begin\n")
    assert written.endswith("# clusterprint end\nPermitRootLogin no\n")
    assert written.count("HostbasedAuthentication yes") == 1
    assert node.boot(ssh=False).returncode == 0, node.log()
    assert config.read_text("utf-8") == "PermitRootLogin no\n"


def test_jq_is_installed_where_the_image_lacks_it(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    (node.bin / "jq").rename(node.state / "jq")
    node.fake("apt-get", f'[[ $* != *install* ]] || "$REAL/mv" "$WORLD/jq" {node.bin}/jq')
    assert node.boot().returncode == 0, node.log()
    assert node.calls("apt-get")[-1].endswith("install jq")


def crowd(number: int) -> list[dict[str, Any]]:
    return [other(each) for each in range(1, number)]


def asked_for(node: VmMachine) -> list[str]:
    names: list[str] = node.known("google").get("asked_for", [])
    return names


def test_five_hundred_nodes_ask_little_each(vm_machine: MakeVmMachine) -> None:
    """All of them together: some sixty lists a minute, and some thousand questions to machines."""
    node = node_with(vm_machine, *crowd(500))
    node.world(name="spani-250", page_size=500)
    assert node.boot().returncode == 0, node.log()
    assert len(asked_for(node)) == 2
    assert asked_for(node)[0] == "spani-0", "programs start there"
    assert "498 machines" in node.log()
    # By its timer it waits for its turn; by hand it does not.
    requests = node.known("google")["asked"]
    node.write("var/lib/clusterprint/nodes", "x\n" * 500)
    assert node.run("update-hosts", "--in-turn").returncode == 0
    assert node.known("google")["asked"] == requests
    assert node.run("update-hosts").returncode == 0
    assert len(asked_for(node)) == 4
    assert len(set(asked_for(node))) == 4, "who has spoken is not asked again"


def test_the_first_of_many_nodes_soon_knows_all(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, *crowd(120))
    node.world(page_size=500)
    assert node.boot().returncode == 0, node.log()
    assert len(hosts(node)) == 120
    asked = len(asked_for(node))
    requests = node.known("google")["asked"]
    assert node.run("update-hosts").returncode == 0
    assert (len(asked_for(node)), node.known("google")["asked"]) == (asked, requests + 1), "one list, no more"
