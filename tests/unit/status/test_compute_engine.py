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


IMAGES = "https://www.googleapis.com/compute/v1/projects/ubuntu-os-accelerator-images/global/images"

AT = IMAGES.partition("/v1/")[2]


def disk(name: str, image: str) -> dict[str, str]:
    return {"name": name, "zone": instance(name)["zone"], "sourceImage": f"{IMAGES}/{image}"}


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
            Answer("^compute disks list", [disk("first-0", "old"), disk("first-1", "old")]),
            Answer("list-errors", "ZONE_RESOURCE_POOL_EXHAUSTED\tno such machine left\n"),
        ],
    )
    found = machines_of(plan(), Programs(gcloud.environment))
    zone = "us-central1-a"
    assert found.nodes == (
        Node("first-0", "nodes", zone, "ready", "unhealthy: gpu 3 is gone", STARTED, image=f"{AT}/old"),
        Node("first-1", "nodes", zone, "failed", "mpi: no disk", STARTED, image=f"{AT}/old"),
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
            Answer("^compute disks list", []),
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
            Answer("^compute disks list", []),
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


def ready(folder: Path, *images: str) -> StandIns:
    names = [f"first-{number}" for number in range(len(images))]
    return StandIns(
        folder,
        gcloud=[
            Answer("^compute instances list", [instance(name) for name in names]),
            Answer("^compute disks list", list(map(disk, names, images))),
            Answer("get-guest-attributes", says(state="ready")),
        ],
    )


def pinned(name: str) -> VmPlan:
    text = (BLUEPRINTS / "vm-smallest.yaml").read_text()
    more = f"count: 2, image: {{project: my-images, name: {name}}}"
    (found,) = plans_of(text.replace("a2-highgpu-1g", f"a2-highgpu-1g, {more}"))
    assert isinstance(found, VmPlan)
    return found


def test_nodes_of_a_family_that_has_moved_differ(tmp_path: Path) -> None:
    found = machines_of(plan(3), Programs(ready(tmp_path / "bin", "v1", "v1", "v2").environment))
    (images,) = found.images
    assert "/images/family/" in images.wanted
    assert images.running == {f"{AT}/v1": ("first-0", "first-1"), f"{AT}/v2": ("first-2",)}
    assert images.differ
    (same,) = machines_of(plan(2), Programs(ready(tmp_path / "same", "v2", "v2").environment)).images
    assert not same.differ


def test_nodes_differ_from_an_image_that_is_named(tmp_path: Path) -> None:
    programs = Programs(ready(tmp_path / "bin", "v1", "v1").environment)
    (images,) = machines_of(pinned("v2"), programs).images
    assert (images.wanted, images.differ) == ("projects/my-images/global/images/v2", True)
    (same,) = machines_of(pinned("v1"), programs).images
    assert same.running.keys() == {f"{AT}/v1"}
    assert same.differ, "an image of that name in another project is another one"


def test_who_may_not_list_disks_hears_that_images_are_not_known(tmp_path: Path) -> None:
    gcloud = StandIns(
        tmp_path / "bin",
        gcloud=[
            Answer("^compute instances list", [instance("first-0")]),
            Answer("get-guest-attributes", says(state="ready")),
            Answer("disks list", err="ERROR: Required 'compute.disks.list' permission", code=1),
        ],
    )
    found = machines_of(plan(1), Programs(gcloud.environment))
    assert (found.ready, found.images) == (1, ())
    assert found.unknown == ("images of the nodes: gcloud: ERROR: Required 'compute.disks.list' permission",)
