"""Whether data that would go is protected, in the name that it has, and which new volumes are."""

from typing import Any

import pytest
from review.conftest import STAYS, Repository
from review.test_kept_data import STORAGE, VMSS

from clusterprint.review.model import Report

VM = """\
clusterprint: v1
kind: vm
name: study
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: c3-standard-22, count: 2}
storage:
  may_lose: [tmp]
  disk_pools:
    - {name: fast, size_gb: 10240, throughput_mbps: 1024, iops: 10000}
  volumes:
    - {name: home, kind: filestore, mount: /home, tier: regional}
    - {name: net, kind: netapp, mount: /net}
    - {name: ckpt, kind: bucket, mount: /ckpt, name_suffix: random}
    - {name: tmp, kind: lustre, mount: /tmp2, deletion_protection: false}
"""
OLD = VM.replace("kind: vm\n", "kind: vm\nterraform: {google_provider: 6.50.0}\n")
OPEN = VM.replace("[tmp]", "[tmp, home]").replace(
    "tier: regional", "tier: regional, deletion_protection: false"
)
HOME = "Filestore instance study-home-0bfd90ad"
PLAN = "; Terraform refuses to plan that, because it is protected, so nothing is applied"
APPLY = "; the apply fails there, because it is protected, and may have changed other things before"


@pytest.fixture
def lost(empty: Repository) -> Any:
    """The losses by a change of a blueprint: severity, in words."""

    def review(before: str, *edits: tuple[str, str]) -> dict[str, str]:
        empty.write("study.yaml", before)
        empty.commit()
        for old, new in edits:
            empty.edit("study.yaml", old, new)
        risks = [each for each in empty.review()["risks"] if "data_lost" in each["groups"]]
        for each in risks:
            assert ("storage.may_lose" in each["help"]) == ("protected" in each["message"])
        return {each["message"]: each["severity"] for each in risks}

    return review


ZONAL = ("tier: regional", "tier: zonal")
REPLACED = f"{HOME} is replaced (forced by location, tier), and with it the files in it"
REMOVED = f"{HOME} is removed, and with it the files in it"
GONE = ("    - {name: home, kind: filestore, mount: /home, tier: regional}\n", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "edits", "expected"),
    [
        (VM, [ZONAL], {f"{REPLACED}{PLAN}": "high"}),
        (OPEN, [ZONAL], {f"{REPLACED}; nothing protects it": "critical"}),
        # What the state says counts, and not what the same change says besides.
        (
            VM,
            [
                ("tier: regional", "tier: zonal, deletion_protection: false"),
                ("may_lose: [tmp]", "may_lose: [tmp, home]"),
            ],
            {f"{REPLACED}{APPLY}": "high"},
        ),
        (VM, [GONE], {f"{REMOVED}{APPLY}": "high"}),
        (OLD, [GONE], {f"{REMOVED}{APPLY}": "high"}),
        (
            VM,
            [("    - {name: net, kind: netapp, mount: /net}\n", "")],
            {
                f"NetApp pool study-net is removed, and with it the volumes in it{APPLY}": "high",
                f"NetApp volume study-net is removed, and with it the files in it{APPLY}": "high",
            },
        ),
        (
            OLD,
            [("    - {name: net, kind: netapp, mount: /net}\n", "")],
            {
                f"NetApp pool study-net is removed, and with it the volumes in it{APPLY}": "high",
                f"NetApp volume study-net is removed, and with it the files in it{APPLY}": "high",
            },
        ),
        (
            VM,
            [("    - {name: ckpt, kind: bucket, mount: /ckpt, name_suffix: random}\n", "")],
            {f"bucket study-ckpt-* is removed, and with it the objects in it{APPLY}": "high"},
        ),
        (
            VM,
            [
                ("    - {name: tmp, kind: lustre, mount: /tmp2, deletion_protection: false}\n", ""),
                ("  may_lose: [tmp]\n", ""),
            ],
            {
                "Lustre instance study-tmp is removed, and with it the files in it; nothing protects it": (
                    "critical"
                )
            },
        ),
        (
            VM,
            [
                (
                    "  disk_pools:\n    - {name: fast, size_gb: 10240, throughput_mbps: 1024, iops: 10000}\n",
                    "",
                )
            ],
            {f"disk pool study-fast is removed, and with it the capacity for its disks{APPLY}": "high"},
        ),
    ],
    ids=[
        "replaced",
        "replaced, and may be",
        "replaced, and may be from now on",
        "removed",
        "removed, old provider",
        "removed with its pool",
        "removed with its pool, old provider",
        "a bucket with digits",
        "may be lost",
        "a pool of disks",
    ],
)
def test_what_becomes_of_data(
    lost: Any, before: str, edits: list[tuple[str, str]], expected: dict[str, str]
) -> None:
    assert lost(before, *edits) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (STORAGE, APPLY),
        (
            STORAGE.replace("storage:\n", "storage:\n  may_lose: [sets]\n").replace(
                "size_gb: 200", "size_gb: 200, deletion_protection: false"
            ),
            "; nothing protects it",
        ),
    ],
    ids=["protected", "may be lost"],
)
def test_what_a_script_keeps_on_azure(lost: Any, before: str, expected: str) -> None:
    found = lost(VMSS + before, (before, ""))
    assert len(found) == 2
    assert all(each.endswith(expected) for each in found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "names"),
    [
        (VM, f"disk pool study-fast, {HOME}, NetApp volume study-net, bucket study-ckpt-*"),
        (VMSS + STORAGE, "file share sets"),
        (VMSS, ""),
    ],
    ids=["Google Cloud", "Azure", "none"],
)
def test_new_volumes_that_are_protected_are_named_once(empty: Repository, text: str, names: str) -> None:
    empty.write("new.yaml", text)
    (cluster,) = empty.review()["clusters"]
    note = (
        "Protected, until their entries say `deletion_protection: false` and `storage.may_lose` names them: "
    )
    assert cluster["notes"] == ([f"{note}{names}."] if names else [])
    empty.commit()
    (cluster,) = empty.review()["clusters"]
    assert cluster["notes"] == [], "nothing is new any more"


def test_a_plan_of_terraform_says_what_the_state_protects(reported: Any) -> None:
    disk = {"name": "old", "deletion_policy": "PREVENT"}
    report: Report = reported(
        STAYS, ("google_compute_disk.d", disk, {**disk, "name": "new", "_replaced": True})
    )
    (risk,) = report.risks
    assert (risk.message, risk.severity) == (
        f"disk old is replaced, and with it the data on it{APPLY}",
        "high",
    )
    empty_pool = {"name": "p", "deletion_protection": False}
    report = reported(STAYS, ("google_compute_storage_pool.p", empty_pool, None))
    (risk,) = report.risks
    assert risk.message.endswith("; Compute Engine refuses as long as it has any")


def test_a_protected_secret_names_no_volume(advice: Any) -> None:
    secret = {"secret_id": "s", "deletion_protection": True}
    (said,) = advice(STAYS, ("google_secret_manager_secret.s", secret, None))
    assert (
        said == "to keep it, revert this; "
        "to delete it, first apply a change that only takes off its protection"
    )
