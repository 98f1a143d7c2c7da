"""Nodes of kind vm that nobody uses: how long, by what it is known, and who stops their group."""

import time
from typing import Any

import pytest
from nodes.test_vm_slurm import slurm_node
from nodes.vm_machine import MakeVmMachine, VmMachine

from clusterprint.plan.vm_nodes import IdlePlan

# What programs say is in a file called SIGN, or nothing; they fail where there is one called SIGN.fails.
SAID = """
said() {
    [[ ! -e $WORLD/$1.fails ]] || exit 9
    if [[ -e $WORLD/$1 ]]; then "$REAL/cat" "$WORLD/$1"; elif [[ $# == 2 ]]; then printf '%s\\n' "$2"; fi
}
"""
PROGRAMS = {
    "nvidia-smi": "case $1 in *utilization*) said gpus $'0\\n0' ;; *) said programs ;; esac",
    "loginctl": 'case $1 in list*) said sessions ;; *) said "session-$2" ;; esac',
    "pgrep": "said mpi; [[ -e $WORLD/mpi ]] || exit 1",
    "docker": "case $1 in ps) said containers ;; *) said wishes ;; esac",
    "squeue": 'case "$*" in *PENDING*) said waiting ;; *nodelist*) said jobs ;; *) said all_jobs ;; esac',
}


def idle_node(vm_machine: MakeVmMachine, *, stops: bool = True, slurm: bool = False) -> VmMachine:
    """A node that nobody uses."""
    node = slurm_node(vm_machine, "spani-0") if slurm else vm_machine()
    node.fake("hostname", "printf 'spani-0\\n'")
    for program, body in PROGRAMS.items():
        node.fake(program, SAID + body)
    node.write("proc/loadavg", "0.10 0.20 0.30 1/200 4000\n")
    assert node.boot(idle=IdlePlan(seconds=600, stops=stops)).returncode == 0, node.log()
    return node


def look(node: VmMachine, uptime: int) -> int:
    """How long a node has been idle, as it says when it looks so many seconds after its start."""
    node.write("proc/uptime", f"{uptime}.20 100.00\n")
    assert node.run("watch-idle").returncode == 0
    return int(node.guest_attributes()["idle"].split(" ")[0])


def looks(node: VmMachine, until: int, since: int = 60) -> int:
    """The same, after a look in each minute."""
    return [look(node, each) for each in range(since, until + 1, 60)][-1]


def stopped(node: VmMachine) -> list[Any]:
    found: list[Any] = node.known("google").get("stopped", [])
    return found


def machine(number: int, zone: str = "z-a", idle: str = "") -> dict[str, str]:
    name = f"spani-{number}"
    return {"id": str(1000 + number), "name": name, "zone": zone, "address": f"10.0.0.{number}", "idle": idle}


def test_a_node_counts_how_long_nobody_uses_it(vm_machine: MakeVmMachine) -> None:
    node = idle_node(vm_machine, stops=False)
    assert (node.state / "enabled/clusterprint-idle.timer").exists()
    assert looks(node, 960) == 900
    (node.state / "gpus").write_text("0\n35\n")
    assert look(node, 1020) == 0
    assert node.guest_attributes()["idle"].endswith(" GPUs")
    (node.state / "gpus").unlink()
    assert looks(node, 1140, 1080) == 120
    assert "asked" not in node.known("google"), "without a group to stop, nobody else is asked"
    assert stopped(node) == []


@pytest.mark.parametrize(
    ("sign", "text", "reason"),
    [
        ("gpus", "[N/A]\n", "GPUs"),
        ("gpus.fails", "", "GPUs"),
        ("programs", "4711\n", "GPUs"),
        ("programs.fails", "", "GPUs"),
        ("sessions", "3 1000 ada\n", "people"),
        ("sessions.fails", "", "people"),
        ("mpi", "17\n", "MPI"),
        ("mpi.fails", "", "MPI"),
        ("containers", "abc\n", "containers"),
        ("containers.fails", "", "containers"),
        ("all_jobs", "12\n", "Slurm"),
        ("all_jobs.fails", "", "Slurm"),
    ],
)
def test_what_uses_a_node_or_cannot_say_so_keeps_it(
    vm_machine: MakeVmMachine, sign: str, text: str, reason: str
) -> None:
    node = idle_node(vm_machine, slurm=reason == "Slurm")
    node.world(machines=[machine(0)])
    (node.state / "session-3").write_text("Class=user\nState=active\n")
    (node.state / "wishes").write_text("runc 0\nrunc 1\n")
    (node.state / sign).write_text(text)
    assert looks(node, 900) == 0
    assert node.guest_attributes()["idle"].endswith(f" {reason}")
    assert stopped(node) == []


def test_processors_that_work_for_minutes_are_use(vm_machine: MakeVmMachine) -> None:
    node = idle_node(vm_machine)
    node.write("proc/loadavg", "0.10 1.02 0.30 1/200 4000\n")
    assert looks(node, 900) == 0
    assert node.guest_attributes()["idle"].endswith(" processors")


def test_managers_of_users_sessions_that_end_and_other_containers_are_no_use(
    vm_machine: MakeVmMachine,
) -> None:
    node = idle_node(vm_machine, stops=False)
    (node.state / "sessions").write_text("3 1000 ada\n4 1000 ada\n5 1000 ada\n")
    (node.state / "session-3").write_text("Class=manager\nState=active\n")
    (node.state / "session-4").write_text("Class=user\nState=closing\n")
    (node.state / "session-5.fails").touch()
    (node.state / "containers").write_text("abc\n")
    (node.state / "wishes").write_text("runc 0\n")
    assert looks(node, 300) == 240


def test_a_node_of_slurm_asks_about_itself_and_about_jobs_that_wait(vm_machine: MakeVmMachine) -> None:
    node = idle_node(vm_machine, stops=False, slurm=True)
    node.fake("hostname", "printf 'spani-3\\n'")
    (node.state / "all_jobs").write_text("7\n")
    assert looks(node, 300) == 240
    assert any("--nodelist=spani-3" in call for call in node.calls("squeue"))
    (node.state / "waiting").write_text("9\n")
    assert look(node, 360) == 0
    (node.state / "waiting").unlink()
    (node.state / "jobs").write_text("7\n")
    assert look(node, 420) == 0


def test_neither_a_reboot_nor_a_time_without_looks_is_idle_time(vm_machine: MakeVmMachine) -> None:
    node = idle_node(vm_machine, stops=False)
    assert looks(node, 540) == 480
    assert node.boot().returncode == 0
    assert look(node, 600) == 0
    assert looks(node, 900, 660) == 300
    assert look(node, 1800) == 0


def test_the_first_node_stops_its_group_once_all_have_been_idle(vm_machine: MakeVmMachine) -> None:
    node = idle_node(vm_machine)
    now = int(time.time())
    others = [machine(10, idle=f"900 {now + 20} "), machine(2, "z-b", f"601 {now} ")]
    more = {**machine(1), "name": "spani-gpu-1"}
    node.world(machines=[others[0], more, machine(0), others[1]])
    assert looks(node, 600) == 540
    assert stopped(node) == []
    assert look(node, 660) == 600
    assert stopped(node) == [
        ["z-b", "nodes-z-b", ["zones/z-b/instances/spani-2"]],
        ["z-a", "nodes-z-a", ["zones/z-a/instances/spani-0", "zones/z-a/instances/spani-10"]],
    ]
    assert "t-1" not in "".join(node.calls("curl"))


@pytest.mark.parametrize("said", ["", "599 {now} ", "900 {old} ", "0 {now} GPUs", "soon {now} ", "900"])
def test_a_node_that_is_used_or_silent_keeps_its_group(vm_machine: MakeVmMachine, said: str) -> None:
    node = idle_node(vm_machine)
    now = int(time.time())
    node.world(machines=[machine(0), machine(1, idle=said.format(now=now, old=now - 400))])
    assert looks(node, 720) == 660
    assert stopped(node) == []


def test_a_job_that_slurm_just_began_on_another_node_keeps_the_group(vm_machine: MakeVmMachine) -> None:
    node = idle_node(vm_machine, slurm=True)
    facts = node.read("etc/clusterprint/slurm").replace("controller=spani-0", "controller=head-0")
    node.write("etc/clusterprint/slurm", facts)
    node.fake("squeue", '[[ "$*" != *--nodelist=spani-0,spani-4* ]] || echo 12')
    node.world(machines=[machine(0), machine(4, idle=f"900 {int(time.time()) + 20} ")])
    assert [look(node, each) for each in (60, 360, 660)] == [0, 300, 600]
    assert any("--nodelist=spani-0,spani-4" in call for call in node.calls("squeue"))
    assert stopped(node) == []


def test_only_the_first_node_that_runs_decides(vm_machine: MakeVmMachine) -> None:
    node = idle_node(vm_machine)
    node.world(name="spani-1", machines=[machine(0, idle=f"900 {int(time.time())} "), machine(1)])
    looks(node, 720)
    assert stopped(node) == []


@pytest.mark.parametrize("trouble", [{"down": True}, {"refuses_to_stop": True}])
def test_a_group_that_could_not_be_stopped_is_asked_again(
    vm_machine: MakeVmMachine, trouble: dict[str, bool]
) -> None:
    node = idle_node(vm_machine)
    node.world(machines=[machine(0)], **trouble)
    looks(node, 600)
    node.write("proc/uptime", "660.20 100.00\n")
    assert node.run("watch-idle").returncode == 1
    node.world(down=False, refuses_to_stop=False)
    assert look(node, 720) == 660
    assert stopped(node)[-1] == ["z-a", "nodes-z-a", ["zones/z-a/instances/spani-0"]]


def test_without_idle_all_of_it_goes(vm_machine: MakeVmMachine) -> None:
    node = idle_node(vm_machine, stops=False)
    look(node, 60)
    assert node.boot(idle=None).returncode == 0
    assert not (node.root / "usr/local/lib/clusterprint/watch-idle").exists()
    assert not (node.root / "var/lib/clusterprint/idle").exists()
    assert not (node.state / "enabled/clusterprint-idle.timer").exists()
