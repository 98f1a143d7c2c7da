"""A cluster with a time to live stops by itself."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from nodes.azure_world import ALLOWED, STOPPING, flexible, flexible_vm, uniform, uniform_vm
from nodes.machine import Machine, MakeMachine
from nodes.settings import GROUP, HEAD, HEAD_IDENTITY, SET

TAG = "clusterprint-time-to-live"


def ago(**time: float) -> str:
    """A time in the past, as Azure writes it."""
    return (datetime.now(UTC) - timedelta(**time)).isoformat()


def aged(world: dict[str, Any], created: str, lifetime: str = "") -> dict[str, Any]:
    """A world whose scale set was created then, with this time to live."""
    world["get"][SET] = {
        "tags": {TAG: lifetime} if lifetime else {"a": "b"},
        "properties": {"timeCreated": created},
    }
    world["allowed"] = ALLOWED | {HEAD_IDENTITY: ALLOWED[HEAD_IDENTITY] + STOPPING}
    return world


def stopped(head: Machine) -> list[str]:
    done: list[str] = head.known("azure").get("done", [])
    return [each.removeprefix("POST ") for each in done]


@pytest.mark.parametrize(
    ("age", "lifetime"),
    [({"days": 400}, ""), ({"hours": 11}, "12h"), ({"days": 6}, "7d"), ({"minutes": 29}, "30m")],
)
def test_nothing_stops_before_its_time(machine: MakeMachine, age: dict[str, float], lifetime: str) -> None:
    head = machine("head")
    head.know("azure", aged(uniform(uniform_vm(0)), ago(**age), lifetime))
    assert head.run("stop-when-expired").returncode == 0
    assert stopped(head) == []


@pytest.mark.parametrize(
    ("age", "lifetime"),
    [({"hours": 13}, "12h"), ({"days": 8}, "7d"), ({"minutes": 31}, "30m"), ({"minutes": 2}, "90s")],
)
def test_the_nodes_are_stopped_first(machine: MakeMachine, age: dict[str, float], lifetime: str) -> None:
    head = machine("head")
    head.know("azure", aged(uniform(uniform_vm(0), uniform_vm(1, "deallocated")), ago(**age), lifetime))
    done = head.run("stop-when-expired")
    assert done.returncode == 0, done.stderr
    assert stopped(head) == [f"{SET}/deallocate"]
    assert "stopping 1 nodes" in done.stderr


def test_the_head_stops_when_all_nodes_have(machine: MakeMachine) -> None:
    head = machine("head")
    head.know(
        "azure", aged(uniform(uniform_vm(0, "deallocated"), uniform_vm(1, "deallocated")), ago(days=2), "1d")
    )
    assert head.run("stop-when-expired").returncode == 0
    assert stopped(head) == [f"{HEAD}/deallocate"]


def test_machines_that_are_off_but_still_cost_are_stopped(machine: MakeMachine) -> None:
    head = machine("head")
    head.know("azure", aged(uniform(uniform_vm(0, "stopped")), ago(days=2), "1d"))
    head.run("stop-when-expired")
    assert stopped(head) == [f"{SET}/deallocate"]


def test_machines_of_a_flexible_set_are_stopped_one_by_one_and_no_others(machine: MakeMachine) -> None:
    head = machine("head", orchestration="flexible", head_is_node=True)
    world = flexible(
        flexible_vm("vm-a"), flexible_vm("vm-b"), flexible_vm("other", SET + "2"), flexible_vm("vmss-head")
    )
    head.know("azure", aged(world, ago(days=2), "1d"))
    done = head.run("stop-when-expired")
    assert done.returncode == 0, done.stderr
    machines = f"{GROUP}/providers/Microsoft.Compute/virtualMachines"
    assert stopped(head) == [f"{machines}/vm-a/deallocate", f"{machines}/vm-b/deallocate"]


def test_more_time_is_a_change_of_the_tag(machine: MakeMachine) -> None:
    head = machine("head")
    head.know("azure", aged(uniform(uniform_vm(0)), ago(days=2), "3d"))
    head.run("stop-when-expired")
    assert stopped(head) == []


@pytest.mark.parametrize("lifetime", ["soon", "12", "h", "1h; reboot", "-1h", "1w"])
def test_a_tag_that_is_no_duration_stops_nothing_and_says_so(machine: MakeMachine, lifetime: str) -> None:
    head = machine("head")
    head.know("azure", aged(uniform(uniform_vm(0)), ago(days=2), lifetime))
    done = head.run("stop-when-expired")
    assert done.returncode != 0
    assert f"is '{lifetime}', which is not a duration" in done.stderr
    assert stopped(head) == []


def test_without_permission_it_fails_loudly(machine: MakeMachine) -> None:
    head = machine("head")
    head.know("azure", aged(uniform(uniform_vm(0)), ago(days=2), "1d") | {"allowed": ALLOWED})
    done = head.run("stop-when-expired")
    assert done.returncode != 0
    assert "403" in done.stderr
