"""Changes in place that a cloud refuses, found before an apply runs into them."""

from typing import Any

import pytest
from review.conftest import STAYS, Repository

from clusterprint.review.model import Report

HEAD = """\
clusterprint: v1
kind: vm
name: study
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: c3-standard-22, count: 2}
"""
VOLUME = f"{HEAD}storage:\n  volumes:\n    - {{name: data, mount: /data, "
POOL = f"""{HEAD}storage:
  disk_pools:
    - {{name: fast, size_gb: 20480, throughput_mbps: 1024, iops: 10000}}
"""


LUSTRE = "Lustre instance study-data"
FILESTORE = "Filestore instance study-data"
BASIC = f"{FILESTORE}-5f78b63e"


def refused(report: dict[str, Any]) -> list[tuple[str, str, str]]:
    """The refused changes: certainty, in words, and the line that causes each."""
    return [
        (each["severity"], each["message"], each["place"]["key"])
        for each in report["risks"]
        if each["name"] == "change_refused"
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "sizes", "message"),
    [
        (
            "kind: lustre",
            (36000, 18000),
            f"{LUSTRE} of 36,000 GiB cannot be given 18,000 GiB, only 36,000 to 3,060,000",
        ),
        ("kind: lustre", (18000, 36000), ""),
        (
            "kind: lustre",
            (1800000, 3168000),
            f"{LUSTRE} of 1,800,000 GiB cannot be given 3,168,000 GiB, only 1,800,000 to 3,060,000",
        ),
        (
            "kind: filestore, tier: basic_ssd",
            (4096, 2560),
            f"{BASIC} of 4,096 GiB cannot be given 2,560 GiB, only 4,096 to 65,433",
        ),
        ("kind: filestore", (4096, 1024), ""),
        (
            "kind: filestore",
            (4096, 10240),
            f"{FILESTORE} of 4,096 GiB cannot be given 10,240 GiB, only 1,024 to 9,984",
        ),
        ("kind: filestore, tier: basic_hdd", (4096, 20480), ""),
        (
            "kind: netapp",
            (4096, 2048),
            "NetApp pool study-data would have 2,048 GiB, and has volumes of 4,096 GiB in it",
        ),
        ("kind: netapp", (2048, 4096), ""),
    ],
)
def test_a_size_that_a_volume_cannot_be_given(
    empty: Repository, kind: str, sizes: tuple[int, int], message: str
) -> None:
    before, after = (f"{VOLUME}{kind}, size_gb: {size}}}\n" for size in sizes)
    empty.write("study.yaml", before)
    empty.commit()
    empty.write("study.yaml", after)
    found = refused(empty.review())
    assert [each[0] for each in found] == (["high"] if message else [])
    for _, told, key in found:
        assert told.startswith(f"{message}: Google Cloud refuses that, and the apply fails there")
        assert key == "storage.volumes.data.size_gb"


MOVED = "disk pool study-fast cannot be moved from us-central1-a to us-central1-b: the apply fails there"
SMALLER = (
    "disk pool study-fast shrinks from 20,480 to 10,240 GiB: Compute Engine refuses that if the disks in it "
    "need more, and the apply fails there"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("20480, zone: us-central1-b", [("high", MOVED, "storage.disk_pools.fast.zone")]),
        ("10240", [("medium", SMALLER, "storage.disk_pools.fast.size_gb")]),
        ("30720", []),
    ],
    ids=["another zone", "smaller", "larger"],
)
def test_what_a_pool_of_disks_cannot_become(
    empty: Repository, new: str, expected: list[tuple[str, str, str]]
) -> None:
    empty.write("study.yaml", POOL)
    empty.commit()
    empty.edit("study.yaml", "20480", new)
    assert refused(empty.review()) == expected


def test_plans_of_terraform_say_the_same(reported: Any) -> None:
    lustre = {"instance_id": "x", "capacity_gib": "36000", "per_unit_storage_throughput": "500"}
    smaller = {**lustre, "capacity_gib": "18000"}
    report: Report = reported(STAYS, ("google_lustre_instance.l", lustre, smaller))
    assert [each.name for each in report.risks] == ["change_refused"]
    report = reported(STAYS, ("google_lustre_instance.l", lustre, {**smaller, "_replaced": True}))
    assert "change_refused" not in [each.name for each in report.risks], (
        "a new one has the size that it is given"
    )
