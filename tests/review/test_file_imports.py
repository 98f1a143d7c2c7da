"""Imports into file systems: what a change of `import_from` does to files, and what it does not."""

from collections.abc import Callable
from typing import Any

import pytest
from review.conftest import Changes, Repository

from clusterprint.review.model import Report

VM = """\
clusterprint: v1
kind: vm
name: filled
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: a2-highgpu-1g, count: 1}
storage:
  volumes:
    - name: scratch
      kind: lustre
      mount: /scratch
      size_gb: 36000
      import_from: {bucket: my-datasets, path: /a/}
"""
EMPTY = VM.replace("      import_from: {bucket: my-datasets, path: /a/}\n", "")
REPLACEABLE = VM.replace("storage:", "storage:\n  may_lose: [scratch]").replace(
    "size_gb: 36000", "deletion_protection: false"
)
IMPORT = "terraform_data.volumes_imports_scratch"
OVERWRITES = (
    "{} is imported into Lustre instance filled-scratch, which exists: files in it that have the same name "
    "and differ are overwritten"
)


@pytest.fixture
def reviewed(
    empty: Repository, changes: Changes
) -> Callable[[str, str], tuple[dict[str, Any], dict[str, Any]]]:
    """The report of a change, and what happens to the import."""

    def review(before: str, after: str) -> tuple[dict[str, Any], dict[str, Any]]:
        empty.write("filled.yaml", before)
        empty.commit()
        empty.write("filled.yaml", after)
        report = empty.review()
        return report, changes(report, "filled").get(IMPORT, {})

    return review


def overwritten(report: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Warnings that files are overwritten; whatever else may lose data is in them."""
    return [
        (each["severity"], each["message"], each["place"]["key"])
        for each in report["risks"]
        if each["sort"] == "data_loss"
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sides", "action", "source", "key"),
    [
        ((EMPTY, VM), "added", "gs://my-datasets/a/", ""),
        ((VM, VM.replace("/a/", "/b/")), "replaced", "gs://my-datasets/b/", ".path"),
        ((VM, VM.replace("my-datasets", "my-sets")), "replaced", "gs://my-sets/a/", ".bucket"),
    ],
    ids=["added", "another path", "another bucket"],
)
def test_an_import_into_what_exists_may_overwrite(
    reviewed: Any, sides: tuple[str, str], action: str, source: str, key: str
) -> None:
    report, found = reviewed(*sides)
    assert (found["action"], found["title"]) == (action, f"import of {source} into scratch")
    where = f"storage.volumes.scratch.import_from{key}"
    assert overwritten(report) == [("medium", OVERWRITES.format(source), where)]
    assert found["place"]["key"] == where


@pytest.mark.slow
def test_without_its_import_a_file_system_keeps_its_files(reviewed: Any) -> None:
    report, found = reviewed(VM, EMPTY)
    assert (found["action"], found["title"]) == ("removed", "import of gs://my-datasets/a/ into scratch")
    assert found["reason"] == "This deletes no files."
    assert report["risks"] == []


@pytest.mark.slow
def test_waiting_longer_imports_nothing(reviewed: Any) -> None:
    report, found = reviewed(VM, VM.replace("path: /a/", "path: /a/, timeout: 2d"))
    assert (report["verdict"]["level"], found) == ("nothing", {})


@pytest.mark.slow
def test_a_new_file_system_is_filled_and_nothing_in_it_overwritten(reviewed: Any) -> None:
    faster = REPLACEABLE.replace(
        "kind: lustre", "kind: lustre\n      size_gb: 9000\n      throughput_mbps_per_tib: 1000"
    )
    report, found = reviewed(REPLACEABLE, faster)
    assert [each["path"] for each in found["forced_by"]] == ["triggers_replace.instance"]
    ((severity, message, _),) = overwritten(report)
    assert severity == "critical"
    assert "and with it the files in it" in message


@pytest.mark.slow
def test_a_new_cluster_overwrites_nothing(empty: Repository, changes: Changes) -> None:
    empty.write("filled.yaml", VM)
    report = empty.review()
    found = changes(report, "filled")[IMPORT]
    assert (found["action"], found["title"]) == ("added", "import of gs://my-datasets/a/ into scratch")
    assert overwritten(report) == []


# ---- as Terraform plans it

LUSTRE = {
    "name": "projects/p/locations/us-central1-a/instances/filled-scratch",
    "instance_id": "filled-scratch",
    "create_time": "2026-11-25T00:00:00Z",
}
MACHINE = {"machine_type": "n2-standard-8"}
TRIGGERS = {"instance": LUSTRE["create_time"], "bucket": "my-datasets", "path": "/a/"}
FILLED = {"triggers_replace": TRIGGERS}


@pytest.mark.parametrize(
    ("there", "before", "after", "expected"),
    [
        ((LUSTRE, MACHINE), None, FILLED, ["gs://my-datasets/a/"]),
        ((LUSTRE, MACHINE), FILLED, {"triggers_replace": {**TRIGGERS, "path": "/"}}, ["gs://my-datasets/"]),
        ((LUSTRE, MACHINE), FILLED, {"triggers_replace": {"path": "/b/"}}, ["/b/ of a bucket"]),
        # the same again: it failed, or took too long
        ((LUSTRE, MACHINE), FILLED, FILLED, []),
        # an earlier apply came no further than the file system
        ((LUSTRE, None), None, FILLED, []),
        ((None, MACHINE), None, {"triggers_replace": {"bucket": "my-datasets", "path": "/a/"}}, []),
    ],
    ids=["added", "another path", "a bucket to be", "again", "no machines yet", "a new one"],
)
def test_imports_of_a_plan(
    reported: Callable[..., Report], there: tuple[Any, Any], before: Any, after: Any, expected: list[str]
) -> None:
    lustre, machine = there
    report = reported(
        ("google_lustre_instance.volumes_lustre-scratch", lustre, LUSTRE),
        ("google_compute_instance.login", machine, MACHINE),
        (IMPORT, before, {**after, "_replaced": True} if before else after),
    )
    found = [each.message for each in report.risks if each.name == "files_overwritten"]
    assert found == [OVERWRITES.format(each) for each in expected]


def test_other_markers_are_no_imports(reported: Callable[..., Report]) -> None:
    report = reported(
        ("google_lustre_instance.l", LUSTRE, LUSTRE),
        ("terraform_data.group_arrival", None, FILLED),
        ("terraform_data.volumes_imports_x", None, {"triggers_replace": ["a"]}),
        ("terraform_data.volumes_imports_y", None, {"triggers_replace": {"path": "/", "node": "a"}}),
    )
    assert "files_overwritten" not in {each.name for each in report.risks}
    titles = [change.title for each in report.clusters[0].groups for change in each.changes]
    assert sorted(titles) == ["marker group_arrival", "marker volumes_imports_x", "marker volumes_imports_y"]
