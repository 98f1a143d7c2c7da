"""Status of the nodes of kind vmss, with an az that answers from a table."""

import re
from pathlib import Path
from typing import Any

import pytest
from stand_ins import Answer, StandIns
from support import BLUEPRINTS, plans_of

from clusterprint.access import slurm
from clusterprint.plan.vmss import VmssPlan
from clusterprint.status.cluster import machines_of
from clusterprint.status.programs import Programs

pytestmark = pytest.mark.process

FLEXIBLE = (BLUEPRINTS / "vmss-nc-dev.yaml").read_text()
UNIFORM = FLEXIBLE.replace("in_scale_set: true, ", "").replace(
    "count: 0", "count: 4\n  orchestration: uniform"
)
UNIFORM = re.sub(r"  capacity: .*\n", "", UNIFORM)  # no other zone is one for the head, too
WAYS = ("ssh azureuser@198.51.100.7", "ssh -J azureuser@198.51.100.7 azureuser@NODE")
MADE = "2026-11-20T10:00:00.1234567+00:00"


def instance(name: str, *codes: str, health: str = "") -> dict[str, Any]:
    view: dict[str, Any] = {"statuses": [{"code": each} for each in codes]}
    if health:
        view["vmHealth"] = {"status": {"code": f"HealthState/{health}"}}
    return {"osProfile": {"computerName": name}, "location": "z", "instanceView": view, "timeCreated": MADE}


def test_instances_are_ready_when_their_health_says_so(tmp_path: Path) -> None:
    listed = [
        instance("a", "PowerState/running", health="healthy"),
        instance("b", "PowerState/running", health="unhealthy"),
        instance("c", "PowerState/deallocated"),
    ]
    head = [{"name": "head", "location": "z", "powerState": "VM running", "timeCreated": MADE}]
    az = StandIns(tmp_path / "bin", az=[Answer("^vmss list-instances", listed), Answer("^vm list", head)])
    found = machines_of(plans_of(UNIFORM), Programs(az.environment))
    assert [(each.name, each.state, each.detail) for each in found.nodes] == [
        ("a", "ready", ""),
        ("b", "not ready", "unhealthy"),
        ("c", "deallocated", ""),
        ("nodes (4)", "missing", ""),
        ("head", "ready", "it runs; its health was not checked"),
    ]
    assert "--expand" in az.calls[0]


def test_instances_of_a_flexible_set_are_listed_as_machines_and_the_head_apart(tmp_path: Path) -> None:
    az = StandIns(tmp_path / "bin", az=[Answer("^vm list", [])])
    found = machines_of(plans_of(FLEXIBLE), Programs(az.environment))
    assert [each.state for each in found.nodes] == ["missing"], "the head"
    assert [call[1:4] for call in az.calls] == [["vm", "list", "--show-details"]] * 2
    assert "&& name != " in " ".join(az.calls[0])


def test_in_a_simulated_cloud_the_real_az_is_never_asked(tmp_path: Path) -> None:
    az = StandIns(tmp_path / "bin", az=[Answer(".*", [])])
    found = machines_of(plans_of(FLEXIBLE), Programs(az.environment, simulated=True))
    assert found.unknown == ("nodes: the simulated cloud has no az",)
    assert az.calls == []


SLURM = "partition|train|2|idle\ncount|3|PENDING\njob|7|PENDING|train|2|ann|Priority|a|b\n"


def with_slurm(folder: Path, *ssh: Answer, power: str = "running", ways: tuple[str, ...] = WAYS) -> Any:
    """The status of the shipped cluster with Slurm, and how ssh was called."""
    head = [{"name": "h200-head", "location": "z", "powerState": f"VM {power}", "timeCreated": MADE}]
    stand_ins = StandIns(folder / "bin", az=[Answer("^vmss list", []), Answer("^vm list", head)], ssh=[*ssh])
    (plan,) = plans_of((BLUEPRINTS / "vmss-h200.yaml").read_text())
    assert isinstance(plan, VmssPlan)
    found = machines_of((slurm.found_at(plan, ways),), Programs(stand_ins.environment))
    return found, [each for each in stand_ins.calls if each[0] == "ssh"]


def test_slurm_is_asked_on_the_head_and_asks_nobody(tmp_path: Path) -> None:
    found, [call] = with_slurm(tmp_path, Answer(".*", SLURM))
    assert call[:4] == ["ssh", "-o", "BatchMode=yes", "azureuser@198.51.100.7"]
    assert found.slurm.partitions["train"]["idle"] == 2
    assert (found.slurm.waiting, [each.name for each in found.jobs]) == (3, ["7"])


@pytest.mark.parametrize(
    ("power", "ways", "said", "connections"),
    [
        ("deallocated", WAYS, "its controller, h200-head, is deallocated", 0),
        ("running", (), "cannot be asked: the state has no address of the head", 0),
        ("running", WAYS, "cannot be asked: ssh: Host key verification failed", 1),
    ],
)
def test_a_head_that_does_not_answer_hides_nothing_else(
    power: str, ways: tuple[str, ...], said: str, connections: int, tmp_path: Path
) -> None:
    refused = Answer(".*", err="Host key verification failed.", code=255)
    found, calls = with_slurm(tmp_path, refused, power=power, ways=ways)
    assert said in found.slurm.unknown
    assert (found.unknown, found.jobs, len(calls)) == ((), (), connections)
