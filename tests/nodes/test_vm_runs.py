"""Programs that run over several nodes of kind vm: when, where, once, and what becomes of their results."""

import pytest
from nodes.test_vm_hosts import THIS, other
from nodes.vm_cluster import MPIRUN, bucket, cluster, describe, replaced, status
from nodes.vm_machine import MakeVmMachine, VmMachine

from clusterprint.nodes.vm.run import description


def ran(node: VmMachine) -> int:
    return len(node.calls("mpirun"))


def test_a_program_runs_once_over_all_nodes(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    assert (node.state / "enabled/clusterprint-runs.timer").exists()
    done = node.run("run-programs")
    assert done.returncode == 0, done.stderr
    words = (node.state / "mpirun").read_text("utf-8").splitlines()
    assert words[:2] == ["-np", "6"]
    assert words[words.index("--map-by") + 1] == "ppr:2:node"
    assert words[words.index("btl_tcp_if_include") + 1] == "10.0.16.0/20"
    assert words[words.index("oob_tcp_if_include") + 1] == "10.0.16.0/20"
    assert words[-8:] == ["-x", "NAME", "-x", "OMP_NUM_THREADS", "--bind-to", "core", "xhpl", "two words"]
    hosts = node.read("var/lib/clusterprint/runs/hpl-12345678/hosts")
    assert hosts == "".join(f"spani-{number} slots=2\n" for number in (0, 1, 2))
    environment = (node.state / "environment").read_text("utf-8").splitlines()
    assert sorted(environment) == ["HOME=/home/clusterprint", "NAME=a b=$(c)", "OMP_NUM_THREADS=2"]
    assert (node.state / "where").read_text("utf-8").endswith("/opt/hpl\n")
    assert bucket(node, "log") == "176 GFlops\n"
    said = status(node)
    assert (said["state"], said["node"], said["exit_status"]) == ("succeeded", "spani-0", "0")
    assert said["ended"] >= said["started"] > "2026"
    folder = "spani/runs/hpl-12345678"
    assert node.known("google")["uploaded"] == [f"{folder}/status", f"{folder}/log", f"{folder}/status"]

    assert node.run("run-programs").returncode == 0
    assert node.boot().returncode == 0
    assert node.run("run-programs").returncode == 0
    assert ran(node) == 1


def test_another_description_is_another_run(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.run("run-programs")
    describe(node, replaced(run="hpl-2", results="spani/runs/hpl-2", command=("xhpl",)))
    assert node.run("run-programs").returncode == 0
    assert ran(node) == 2
    assert status(node, "hpl-2")["state"] == "succeeded"


def test_it_waits_for_a_node_that_joins_an_hour_later(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.world(machines=[THIS, other(1)])
    node.run("update-hosts")
    done = node.run("run-programs")
    assert (done.returncode, ran(node)) == (0, 0)
    assert "2 of 3 nodes are known" in done.stderr
    (node.state / "ready-spani-2").unlink()
    node.world(machines=[THIS, other(1), other(2)])
    node.run("update-hosts")
    assert "spani-2 is not ready, or is unreachable" in node.run("run-programs").stderr
    assert "results" not in node.known("google").get("objects", {})
    (node.state / "ready-spani-2").touch()
    node.run("run-programs")
    assert ran(node) == 1


def test_it_waits_for_the_files_that_it_is_about(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.write("opt/hpl/HPL.dat", "an earlier one")
    assert "spani-0 is not ready" in node.run("run-programs").stderr
    node.write("opt/hpl/HPL.dat", "abc")
    node.run("run-programs")
    assert ran(node) == 1


def test_only_the_first_node_runs_it(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.world(name="spani-1")
    assert node.run("run-programs").returncode == 0
    assert ran(node) == 0


def test_a_node_whose_setup_failed_runs_nothing(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    assert node.boot(startup_script="#!/bin/sh\nexit 1\n").returncode == 1
    assert "this node is not ready" in node.run("run-programs").stderr
    assert ran(node) == 0


@pytest.mark.parametrize(
    ("body", "limit", "exit_status", "message"),
    [
        ("echo no; exit 3", 0, "3", "exit status 3"),
        ("exec sleep 30", 1, "124", "timeout after 1 seconds"),
    ],
)
def test_a_program_that_fails_has_failed_for_good(
    vm_machine: MakeVmMachine, body: str, limit: int, exit_status: str, message: str
) -> None:
    node = cluster(vm_machine, replaced(time_limit=limit))
    node.remove("sleep")
    node.fake("mpirun", body)
    assert node.run("run-programs").returncode == 0
    said = status(node)
    assert (said["state"], said["exit_status"], said["message"]) == ("failed", exit_status, message)
    node.run("run-programs")
    assert ran(node) == 1


def test_a_run_whose_claim_was_answered_to_nobody_is_begun_all_the_same(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.world(loses_answer=True)
    node.run("run-programs")
    assert (ran(node), status(node)["state"]) == (0, "running")
    node.write("proc/sys/kernel/random/uuid", "another\n")
    assert node.run("run-programs").returncode == 0
    assert (ran(node), status(node)["state"]) == (1, "succeeded")


def test_a_node_that_went_down_while_it_ran_says_so(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.remove("sleep")
    node.kill_during("run-programs", "mpirun")
    node.fake("mpirun", MPIRUN)
    assert status(node)["state"] == "running"
    assert node.boot().returncode == 0
    assert node.run("run-programs").returncode == 0
    said = status(node)
    assert (said["state"], said["message"]) == (
        "failed",
        "the node that started it went down while it was running",
    )
    node.run("run-programs")
    assert not (node.state / "mpirun").exists()


def test_a_node_that_was_made_anew_finds_what_was_done(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    ended = "run=hpl-12345678\nstate=succeeded\nnode=spani-0\n"
    node.world(objects={"results": {"spani/runs/hpl-12345678/status": ended}})
    assert "already finished" in node.run("run-programs").stderr
    node.run("run-programs")
    assert (ran(node), bucket(node, "status")) == (0, ended)


def test_what_another_node_runs_is_left_to_it(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    running = "run=hpl-12345678\nstate=running\nnode=spani-00\n"
    node.world(objects={"results": {"spani/runs/hpl-12345678/status": running}})
    assert "already running on spani-00" in node.run("run-programs").stderr
    assert (ran(node), bucket(node, "status")) == (0, running)


def test_what_comes_later_waits_for_what_is_not_ready(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.write(
        "etc/clusterprint/runs/10-nccl", description(replaced(run="nccl-1", files={"/opt/x": 32 * "0"}))
    )
    assert node.run("run-programs").returncode == 0
    assert ran(node) == 0
    node.write("etc/clusterprint/runs/10-nccl", description(replaced(run="nccl-1", group="others")))
    assert node.run("run-programs").returncode == 0
    assert ran(node) == 1


def test_without_a_bucket_that_takes_the_status_nothing_begins(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.world(refuses=True)
    done = node.run("run-programs")
    assert "could not write the status to bucket results (HTTP 403): check the permissions" in done.stderr
    assert ran(node) == 0
    node.world(refuses=False)
    node.run("run-programs")
    assert ran(node) == 1


def test_a_result_that_could_not_be_delivered_is_delivered_later(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.fake("mpirun", MPIRUN + '"$REAL/sed" -i \'s/^{/{"refuses": true, /\' "$WORLD/google.json"\n')
    done = node.run("run-programs")
    assert done.returncode == 1
    assert "could not write the result" in done.stderr
    assert status(node)["state"] == "running"
    node.world(refuses=False)
    assert node.run("run-programs").returncode == 0
    assert (ran(node), status(node)["state"], bucket(node, "log")) == (1, "succeeded", "176 GFlops\n")


def test_a_clock_that_jumps_neither_ends_nor_repeats_it(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine, replaced(time_limit=3600))
    node.fake("date", "[[ -e $WORLD/mpirun ]] && echo 2001-01-01T00:00:00Z || echo 2026-11-22T00:00:00Z")
    assert node.run("run-programs").returncode == 0
    node.run("run-programs")
    assert (ran(node), status(node)["state"]) == (1, "succeeded")
