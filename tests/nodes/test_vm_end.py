"""A node of a cluster with a time to live: people on it are told in time, and the end may move."""

from datetime import UTC, datetime, timedelta

import pytest
from nodes.vm_machine import BUCKET, MakeVmMachine, VmMachine

from clusterprint.plan.vm_end import NoticePlan

NOTICE = "clusterprint/spani/end"


def moment(**ahead: float) -> str:
    """A moment so far ahead, as Terraform writes it."""
    return (datetime.now(UTC) + timedelta(**ahead)).strftime("%Y-%m-%dT%H:%M:%SZ")


def ends(node: VmMachine, text: str) -> None:
    """The content of the bucket."""
    node.world(objects={BUCKET: {NOTICE: text}})


def node_with(vm_machine: MakeVmMachine, text: str) -> VmMachine:
    node = vm_machine(end=NoticePlan(bucket=BUCKET, object=NOTICE))
    node.fake("wall")
    ends(node, text)
    return node


def told(node: VmMachine) -> list[str]:
    return node.calls("wall")


def test_people_read_it_when_they_log_in_and_in_the_status(vm_machine: MakeVmMachine) -> None:
    when = moment(days=2)
    node = node_with(vm_machine, f"{when} delete\n")
    assert node.boot().returncode == 0
    assert node.steps() == {"end": "done"}
    shown = node.read("etc/motd.d/clusterprint-end")
    assert f"At {when}, all machines of cluster spani will be deleted" in shown
    assert f"Ends: {when} delete" in node.run("clusterprint-status").stdout
    assert told(node) == []
    assert (node.state / "enabled/clusterprint-end.timer").exists()


@pytest.mark.parametrize("ahead", [{"hours": 23}, {"minutes": 59}, {"minutes": 9}])
def test_all_are_told_once_for_each_warning(vm_machine: MakeVmMachine, ahead: dict[str, float]) -> None:
    node = node_with(vm_machine, f"{moment(**ahead)} stop\n")
    node.boot()
    assert len(told(node)) == 1
    assert "will be stopped; their boot disks are kept" in told(node)[0]
    node.run("announce-end")
    node.boot()
    assert len(told(node)) == 1


@pytest.mark.parametrize(("ahead", "times"), [(1440, 1), (1441, 0), (10, 1), (1, 1), (0, 0)])
def test_a_warning_is_due_from_its_minute_on(vm_machine: MakeVmMachine, ahead: int, times: int) -> None:
    node = node_with(vm_machine, "2126-01-02T00:00:00Z delete\n")
    node.fake(
        "date",
        f'[[ $* != +%s ]] || set -- --date "2126-01-02T00:00:00Z -{ahead} minutes" +%s\n'
        f'exec {node.bin}/date "$@"',
    )
    assert node.boot().returncode == 0
    assert len(told(node)) == times


def test_an_end_that_moves_is_said_again(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, f"{moment(minutes=30)} delete\n")
    node.boot()
    later = moment(days=3)
    ends(node, f"{later} delete\n")
    assert node.run("announce-end").returncode == 0
    assert later in node.read("etc/motd.d/clusterprint-end")
    assert len(told(node)) == 1
    ends(node, f"{moment(minutes=50)} delete\n")
    node.run("announce-end")
    assert len(told(node)) == 2


def test_a_clock_that_jumps_warns_too_early_and_ends_nothing(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, f"{moment(days=2)} delete\n")
    node.fake(
        "date",
        f'[[ $* != +%s ]] || set -- --date "47 hours 30 minutes" +%s\nexec {node.bin}/date "$@"',
    )
    assert node.boot().returncode == 0
    assert len(told(node)) == 1
    assert not [call for call in node.calls("systemctl") if "poweroff" in call or "halt" in call]


def test_while_the_bucket_is_silent_the_last_moment_counts(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, f"{moment(minutes=30)} delete\n")
    node.boot()
    node.world(down=True)
    done = node.run("announce-end")
    assert done.returncode == 0
    assert "could not get the end time" in done.stderr
    assert "will be deleted" in node.read("etc/motd.d/clusterprint-end")


def test_an_end_that_was_taken_out_is_said_no_more(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, f"{moment(hours=3)} delete\n")
    node.boot()
    node.world(objects={})
    assert node.run("announce-end").returncode == 0
    assert not (node.root / "etc/motd.d/clusterprint-end").exists()
    assert "Ends:" not in node.run("clusterprint-status").stdout
    assert len(told(node)) == 1


def test_nobody_is_warned_of_what_is_over(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, f"{moment(minutes=-5)} stop\n")
    assert node.boot().returncode == 0
    assert told(node) == []


@pytest.mark.parametrize(
    "text", ["", "soon delete\n", "2026-01-01T00:00:00Z reboot\n", "$(touch /tmp/x) stop\n"]
)
def test_without_a_moment_the_node_is_ready_all_the_same(vm_machine: MakeVmMachine, text: str) -> None:
    node = node_with(vm_machine, text)
    assert node.boot().returncode == 0
    assert node.steps() == {"end": "done"}
    assert "could not get the end time" in node.log()
    assert not (node.root / "etc/motd.d/clusterprint-end").exists()


def test_nobody_needs_to_be_logged_in(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, f"{moment(minutes=5)} delete\n")
    node.remove("wall")
    assert node.boot().returncode == 0
    assert node.steps() == {"end": "done"}


def test_without_a_time_to_live_all_of_it_goes(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, f"{moment(days=2)} delete\n")
    node.boot()
    assert node.boot(end=None).returncode == 0
    assert not (node.root / "usr/local/lib/clusterprint/announce-end").exists()
    assert not (node.state / "enabled/clusterprint-end.timer").exists()
