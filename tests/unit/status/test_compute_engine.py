"""Status of the nodes of kind vm, with a gcloud that answers from a table."""

import json
import time
from pathlib import Path

import pytest
from stand_ins import Answer, StandIns
from support import BLUEPRINTS, plans_of

from clusterprint.plan.vm import VmPlan
from clusterprint.status.compute_engine import machines_of
from clusterprint.status.machines import POWERED_DOWN, Node
from clusterprint.status.programs import Programs

pytestmark = pytest.mark.process

STARTED = "2026-11-20T10:00:00.000-08:00"
STATUS = json.dumps(
    {"steps": [{"name": "driver", "state": "done"}, {"name": "mpi", "state": "failed", "message": "no disk"}]}
)


def plan(count: int = 4, more: str = "") -> VmPlan:
    text = (
        (BLUEPRINTS / "vm-smallest.yaml")
        .read_text()
        .replace("a2-highgpu-1g", f"a2-highgpu-1g, count: {count}{more}")
    )
    (found,) = plans_of(text)
    assert isinstance(found, VmPlan)
    return found


def instance(name: str, status: str = "RUNNING") -> dict[str, str]:
    return {
        "name": name,
        "zone": "https://www.googleapis.com/compute/v1/projects/p/zones/us-central1-a",
        "status": status,
        "creationTimestamp": STARTED,
    }


def says(**values: str) -> list[dict[str, str]]:
    return [{"namespace": "clusterprint", "key": key, "value": value} for key, value in values.items()]


def test_every_node_is_what_its_cloud_and_itself_say(tmp_path: Path) -> None:
    gcloud = StandIns(
        tmp_path / "bin",
        gcloud=[
            Answer(
                "^compute instances list",
                [instance("first-0"), instance("first-1"), instance("first-2", "STOPPED")],
            ),
            Answer("get-guest-attributes first-0", says(state="ready", health="unhealthy\ngpu 3 is gone")),
            Answer("get-guest-attributes first-1", says(state="failed", status=STATUS)),
            Answer("list-errors", "ZONE_RESOURCE_POOL_EXHAUSTED\tno such machine left\n"),
        ],
    )
    found = machines_of(plan(), Programs(gcloud.environment))
    zone = "us-central1-a"
    assert found.nodes == (
        Node("first-0", "nodes", zone, "ready", "unhealthy: gpu 3 is gone", STARTED),
        Node("first-1", "nodes", zone, "failed", "mpi: no disk", STARTED),
        Node("first-2", "nodes", zone, "stopped"),
        Node("first-3", "nodes", zone, "missing", "ZONE_RESOURCE_POOL_EXHAUSTED no such machine left"),
    )
    assert (found.wanted, found.ready, found.unknown) == (4, 1, ())


def test_idle_nodes_say_how_long_and_stopped_ones_how_they_start(tmp_path: Path) -> None:
    now = int(time.time())
    gcloud = StandIns(
        tmp_path / "bin",
        gcloud=[
            Answer(
                "^compute instances list",
                [*(instance(f"first-{number}") for number in range(4)), instance("first-4", "TERMINATED")],
            ),
            Answer("get-guest-attributes first-0", says(state="ready", idle=f"7500 {now} ")),
            Answer("get-guest-attributes first-1", says(state="ready", idle=f"7100 {now} ")),
            Answer("get-guest-attributes first-2", says(state="ready", idle=f"9000 {now - 3600} ")),
            Answer("get-guest-attributes first-3", says(state="ready", idle="long ago", health="unhealthy")),
        ],
    )
    found = machines_of(plan(5, ", idle: {action: stop}"), Programs(gcloud.environment))
    assert [(each.state, each.detail, each.idle_seconds) for each in found.nodes[:4]] == [
        ("ready", "idle for 2h 5m", 7500),
        ("ready", "", 7100),
        ("ready", "", 0),
        ("ready", "unhealthy", 0),
    ]
    assert (found.wanted, found.ready, found.nodes[4].state) == (4, 4, POWERED_DOWN)
    assert found.nodes[4].detail == (
        "gcloud compute instance-groups managed start-instances first-nodes --instances=first-4 "
        "--zone=us-central1-a --project=my-gpu-project starts it"
    )


def test_a_node_that_has_said_nothing_is_starting(tmp_path: Path) -> None:
    gcloud = StandIns(
        tmp_path / "bin",
        gcloud=[
            Answer("^compute instances list", [instance("first-0")]),
            Answer("get-guest-attributes", err="ERROR: The resource 'guestAttributes' was not found", code=1),
        ],
    )
    (node,) = machines_of(plan(1), Programs(gcloud.environment)).nodes
    assert (node.state, node.detail) == ("starting", "it has not reported anything yet")


def test_who_may_not_ask_the_nodes_still_hears_which_run(tmp_path: Path) -> None:
    gcloud = StandIns(
        tmp_path / "bin",
        gcloud=[
            Answer("^compute instances list", [instance("first-0")]),
            Answer("get-guest-attributes", err="ERROR: Required 'x' permission", code=1),
        ],
    )
    found = machines_of(plan(1), Programs(gcloud.environment))
    assert [each.state for each in found.nodes] == ["running"]
    assert found.unknown == ("status of the nodes: gcloud: ERROR: Required 'x' permission",)


def test_without_gcloud_the_nodes_are_not_known(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    found = machines_of(plan(), Programs({"PATH": str(tmp_path / "empty")}))
    assert (found.nodes, found.unknown) == ((), ("nodes: gcloud is not installed",))


def test_only_the_groups_of_this_cluster_are_asked_for(tmp_path: Path) -> None:
    gcloud = StandIns(
        tmp_path / "bin", gcloud=[Answer("^compute instances list", []), Answer("list-errors", "")]
    )
    machines_of(plan(1), Programs(gcloud.environment))
    assert '--filter=name~"^(first)-[0-9a-z]+$"' in gcloud.calls[0]
    assert "--zones=us-central1-a" in gcloud.calls[0]
