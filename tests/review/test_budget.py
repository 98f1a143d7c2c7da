"""The budget of a cluster: told where a change may cost more, or the budget gets smaller."""

from typing import Any

import pytest
from review.conftest import Repository

pytestmark = pytest.mark.slow

#: A machine costs $0.194236 an hour: two cost $283.58 a month, $18.65 in two days.
STUDY = """\
clusterprint: v1
kind: vm
name: study
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: n2-standard-4, count: 1}
budget: {per_month: 200}
"""


def told(report: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [
        (each["severity"], each["message"], each["place"]["key"])
        for each in report["risks"]
        if each["name"] == "over_budget"
    ]


def test_a_change_beyond_the_budget_is_a_risk(repository: Repository) -> None:
    repository.write("study.yaml", STUDY)
    assert told(repository.review()) == [], "it is added within its budget"
    repository.edit("study.yaml", "count: 1", "count: 2")
    message = "may cost $283.58 a month at list prices; its budget is $200.00"
    assert told(repository.review()) == [("high", message, "budget.per_month")]
    (repository.folder / "clusterprint.policy.yaml").write_text("policy: v1\nforbid: [over_budget]\n")
    repository.commit()
    repository.git("branch", "--force", "main")
    repository.edit("study.yaml", "per_month: 200", "per_month: 250")
    report = repository.review()
    assert told(report) == [("high", message.replace("$200.00", "$250.00"), "budget.per_month")]
    assert report["verdict"]["exit_code"] == 5, "another budget is judged even if nothing else changes"


def test_a_cluster_that_ends_costs_until_then_at_most(repository: Repository) -> None:
    text = STUDY.replace("count: 1", "count: 2")
    repository.write("study.yaml", f"{text}time_to_live: 2d\n")
    assert told(repository.review()) == []
    repository.edit("study.yaml", "per_month: 200", "per_month: 18")
    assert told(repository.review()) == [
        ("high", "may cost $18.65 a month at list prices; its budget is $18.00", "budget.per_month")
    ]
