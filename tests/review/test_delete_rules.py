"""Rules that delete objects of buckets which are there already."""

from typing import Any

import pytest
from review.conftest import STAYS, Repository

from clusterprint.review.model import Report

BUCKET = """\
clusterprint: v1
kind: vm
name: study
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: c3-standard-22, count: 2}
storage:
  volumes:
    - {name: ckpt, kind: bucket, mount: /ckpt}
"""


def rule(age: int, *prefixes: str, action: str = "Delete", **more: Any) -> dict[str, Any]:
    """A rule as Terraform plans it: whatever nobody asked for is in it, too."""
    condition = {
        "age": age,
        "matches_prefix": list(prefixes) or None,
        "with_state": "ANY",
        "created_before": "",
        "num_newer_versions": 0,
        "send_age_if_zero": True,
        **more,
    }
    return {"action": [{"type": action, "storage_class": ""}], "condition": [condition]}


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ([], [rule(1)], "objects that are 1 day old"),
        ([], [rule(3, "logs/")], "objects under logs/ that are 3 days old"),
        ([], [rule(0)], "objects"),
        ([rule(30)], [rule(3)], "objects that are 3 days old"),
        ([rule(3, "logs/")], [rule(3)], "objects that are 3 days old"),
        ([rule(3, "logs/")], [rule(3, "logs/", "tmp/")], "objects under logs/, tmp/ that are 3 days old"),
        (
            [rule(3, num_newer_versions=2)],
            [rule(3, num_newer_versions=1)],
            "objects that are 3 days old (num_newer_versions)",
        ),
        ([rule(3)], [rule(30)], ""),
        ([rule(3)], [rule(3, "logs/")], ""),
        ([rule(3, "logs/")], [rule(3, "logs/old/")], ""),
        ([rule(3)], [], ""),
        ([rule(3), rule(30)], [rule(30), rule(3)], ""),
        ([], [rule(3, action="SetStorageClass")], ""),
    ],
)
def test_rules_that_delete_more_than_before(
    reported: Any, before: list[dict[str, Any]], after: list[dict[str, Any]], what: str
) -> None:
    name = {"name": "b", "soft_delete_policy": [{"retention_duration_seconds": 604800}]}
    sides = ({**name, "lifecycle_rule": rules} for rules in (before, after))
    report: Report = reported(STAYS, ("google_storage_bucket.b", *sides))
    assert [each.message for each in report.risks] == ([f"bucket b begins to delete {what}"] if what else [])
    assert {(each.name, each.sort, each.severity) for each in report.risks} <= {
        ("objects_deleted", "data_loss", "high")
    }


def test_a_bucket_that_begins_with_rules_loses_nothing(found: Any) -> None:
    bucket = {"name": "b", "public_access_prevention": "enforced", "lifecycle_rule": [rule(1)]}
    assert found(STAYS, ("google_storage_bucket.b", None, bucket)) == {}


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ([{"retention_duration_seconds": 604800}], "deleted objects can be restored for 7 days"),
        ([{"retention_duration_seconds": 0}], "nothing brings them back"),
        ([], "deleted objects can be restored as long as `soft_delete` says"),
    ],
)
def test_the_advice_says_what_brings_objects_back(advice: Any, policy: list[Any], told: str) -> None:
    before = {"name": "b", "soft_delete_policy": policy}
    (said,) = advice(STAYS, ("google_storage_bucket.b", before, {**before, "lifecycle_rule": [rule(1)]}))
    assert said.endswith(told)


@pytest.mark.slow
def test_the_rule_of_a_volume_is_found_at_its_line(empty: Repository) -> None:
    empty.write("study.yaml", BUCKET)
    empty.commit()
    empty.edit("study.yaml", "mount: /ckpt", "mount: /ckpt, lifecycle: [{after_days: 1, action: delete}]")
    (risk,) = empty.review()["risks"]
    assert (risk["name"], risk["place"]["key"]) == ("objects_deleted", "storage.volumes.ckpt.lifecycle")
    assert risk["message"] == "bucket study-ckpt begins to delete objects that are 1 day old"
