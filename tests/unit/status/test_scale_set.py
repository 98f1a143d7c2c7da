"""Status of the nodes of kind vmss, with an az that answers from a table."""

import re
from pathlib import Path
from typing import Any

import pytest
from stand_ins import Answer, StandIns
from support import BLUEPRINTS, plans_of

from clusterprint.status.cluster import machines_of
from clusterprint.status.programs import Programs

pytestmark = pytest.mark.process

FLEXIBLE = (BLUEPRINTS / "vmss-nc-dev.yaml").read_text()
UNIFORM = FLEXIBLE.replace("in_scale_set: true, ", "").replace(
    "count: 0", "count: 4\n  orchestration: uniform"
)
UNIFORM = re.sub(r"  capacity: .*\n", "", UNIFORM)  # no other zone is one for the head, too
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
