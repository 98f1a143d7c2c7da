"""Disks of nodes are no resources of their own, and go all the same."""

import pytest
from review.conftest import Repository

from clusterprint.review.risk_names import RISKS

STUDY = """\
clusterprint: v1
kind: vm
name: study
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: c3-standard-8, count: 3}
storage:
  may_lose: [work, tmp]
  volumes:
    - {name: work, kind: disk, mount: /work, deletion_protection: false}
    - {name: tmp, kind: disk, mount: /tmp2, deletion_protection: false}
"""

pytestmark = pytest.mark.slow

GROUP = "instance group study-nodes"
WORK = "    - {name: work, kind: disk, mount: /work, deletion_protection: false}\n"
LET_GO = "no longer keeps disk work of its 3 nodes: it goes when its node is recreated"
MOVED = "is replaced (forced by zone), and with it disk"


@pytest.mark.parametrize(
    ("old", "new", "messages", "key"),
    [
        (
            "count: 3",
            "count: 2",
            [
                f"1 node of {GROUP} goes, and with it its disk {disk} and the data on it"
                for disk in ("tmp", "work")
            ],
            "nodes.count",
        ),
        (
            "count: 3",
            "count: 1",
            [
                f"2 nodes of {GROUP} go, and with each its disk {disk} and the data on it"
                for disk in ("tmp", "work")
            ],
            "nodes.count",
        ),
        (
            WORK,
            "",
            [
                f"{GROUP} {LET_GO}, and with it the data on it",
            ],
            "storage.volumes.work",
        ),
        (
            "us-central1-a",
            "us-central1-b",
            [
                f"{GROUP} {MOVED} {disk} of each of its 3 nodes, with the data on it"
                for disk in ("tmp", "work")
            ],
            "zone",
        ),
        ("count: 3", "count: 4", [], ""),
        ("mount: /work", "mount: /workshop", [], ""),
        ("mount: /work", "mount: /work, size_gb: 200", [], ""),
    ],
    ids=["one node", "two nodes", "the volume", "another zone", "more nodes", "another folder", "larger"],
)
def test_a_review_names_the_disks_that_go_with_nodes(
    empty: Repository, old: str, new: str, messages: list[str], key: str
) -> None:
    empty.write("study.yaml", STUDY)
    empty.commit()
    text = STUDY.replace(old, new)
    empty.write("study.yaml", text.replace("[work, tmp]", "[tmp]") if not new else text)
    found = [each for each in empty.review()["risks"] if each["name"] == "disk_removed"]
    assert [each["message"] for each in found] == messages
    assert {each["severity"] for each in found} <= {"critical"}
    assert {each["place"]["key"] for each in found} == ({key} if key else set())
    assert RISKS["disk_removed"].sort == "data_loss"
