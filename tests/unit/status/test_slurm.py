"""What the controller of Slurm says in the status of kind vm, with a gcloud that answers from a table."""

import json
from pathlib import Path

import pytest
from stand_ins import Answer, StandIns
from support import BLUEPRINTS, plans_of

from clusterprint.plan.vm import VmPlan
from clusterprint.status.compute_engine import machines_of
from clusterprint.status.machines import Machines, OutOfService
from clusterprint.status.programs import Programs, Unasked
from clusterprint.status.slurm import answered

ANSWER = """\
partition|interactive|1|idle
partition|gpu|1|mixed
partition|gpu|2|idle~
partition|gpu|1|drained*
partition|gpu|1|idle*
partition|gpu|1|allocated#
partition|gpu|3|down~
reason|team-compute-[4-5]|drained|2026-11-28T09:12:31Z|root|clusterprint: gpus 7 | of 8
count|3|RUNNING
count|1|CONFIGURING
count|40|PENDING
job|7|RUNNING|gpu|2|ann|None|train | of ann
job|8_[1-40]|PENDING|gpu|1|bob|Priority|sweep
"""
READY = json.dumps([{"namespace": "clusterprint", "key": "state", "value": "ready"}])


def plan(*changes: tuple[str, str]) -> VmPlan:
    text = (BLUEPRINTS / "vm-login-compute.yaml").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (found,) = plans_of(text)
    assert isinstance(found, VmPlan)
    return found


def instances(**states: str) -> Answer:
    zone = "https://www.googleapis.com/compute/v1/projects/p/zones/us-central1-f"
    rows = [
        {"name": f"team-{name.replace('_', '-')}", "zone": zone, "status": state}
        for name, state in states.items()
    ]
    return Answer("^compute instances list", rows)


def asked(folder: Path, *answers: Answer, of: VmPlan | None = None) -> tuple[Machines, list[list[str]]]:
    more = (Answer("get-guest-attributes", READY), Answer("list-errors", ""), Answer("disks list", "[]"))
    gcloud = StandIns(folder / "bin", gcloud=[*answers, *more])
    return machines_of(of or plan(), Programs(gcloud.environment)), gcloud.calls


def test_nodes_are_counted_by_what_they_can_do_and_tasks_of_arrays_one_by_one() -> None:
    state, jobs = answered(ANSWER)
    assert {name: {key: n for key, n in nodes.items() if n} for name, nodes in state.partitions.items()} == {
        "interactive": {"idle": 1},
        "gpu": {"allocated": 1, "powered_down": 2, "drained": 1, "down": 4, "starting": 1},
    }
    reason = "clusterprint: gpus 7 | of 8"
    assert state.out_of_service == (
        OutOfService("team-compute-[4-5]", "drained", "2026-11-28T09:12:31Z", "root", reason),
    )
    assert (state.running, state.waiting) == (4, 40)
    assert [(each.name, each.state) for each in jobs] == [("7", "running"), ("8_[1-40]", "queued")]


@pytest.mark.parametrize("text", ["", "Welcome\n", "partition|gpu\n", "partition|gpu|1|idle\njob|7\n"])
def test_another_answer_is_none(text: str) -> None:
    with pytest.raises(Unasked):
        answered(text)


@pytest.mark.process
def test_the_controller_is_asked_once_and_nodes_that_it_stops_are_not_missed(tmp_path: Path) -> None:
    found, calls = asked(
        tmp_path,
        instances(login_0="RUNNING", compute_0="RUNNING", compute_1="TERMINATED"),
        Answer("^compute ssh team-login-0", ANSWER),
    )
    assert (found.wanted, found.ready, found.unknown) == (2, 2, ())
    assert [(each.name, each.state) for each in found.nodes][-1] == ("team-compute-1", "powered down")
    assert len([call for call in calls if "ssh" in call]) == 1
    assert found.slurm
    assert found.slurm.running == 4
    assert not found.slurm.unknown


@pytest.mark.process
def test_the_first_nodes_of_a_group_are_missed_when_they_are_stopped(tmp_path: Path) -> None:
    stopped = instances(login_0="RUNNING", compute_0="TERMINATED", compute_1="TERMINATED")
    found, _ = asked(tmp_path, stopped, Answer("^compute ssh", ANSWER))
    assert (found.wanted, found.ready) == (2, 1)
    assert [each.state for each in found.nodes] == ["ready", "terminated", "powered down"]


@pytest.mark.process
@pytest.mark.parametrize(
    ("login", "code", "said", "connections"),
    [
        ("TERMINATED", 0, "its controller, team-login-0, is terminated", 0),
        ("RUNNING", 255, "its controller, team-login-0, cannot be asked: gcloud: Permission denied", 1),
    ],
)
def test_a_controller_that_does_not_answer_hides_nothing_else(
    login: str, code: int, said: str, connections: int, tmp_path: Path
) -> None:
    found, calls = asked(
        tmp_path,
        instances(login_0=login, compute_0="RUNNING", compute_1="RUNNING"),
        Answer("^compute ssh", err="Permission denied", code=code),
    )
    assert found.slurm
    assert (found.slurm.unknown, found.unknown, found.jobs) == (said, (), ())
    assert len([call for call in calls if "ssh" in call]) == connections
    assert [each.state for each in found.nodes if each.place and "compute" in each.name] == ["ready"] * 2


@pytest.mark.process
def test_where_ssh_is_closed_that_is_why_slurm_is_not_known(tmp_path: Path) -> None:
    closed = plan(("cidr: 10.20.0.0/20", "cidr: 10.20.0.0/20\n  ssh_source_ranges: []"))
    found, _ = asked(tmp_path, instances(login_0="RUNNING"), of=closed)
    assert found.slurm
    assert "network.ssh_source_ranges of the blueprint allows nobody" in found.slurm.unknown
