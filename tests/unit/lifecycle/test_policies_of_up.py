"""Which policies judge what `up` is about to apply: those of each blueprint's folder, over the whole run."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from clusterprint.document import Document
from clusterprint.exit_codes import Code
from clusterprint.lifecycle.plan_review import review
from clusterprint.lifecycle.session import Session
from clusterprint.lifecycle.stack import Stack, State
from clusterprint.lifecycle.up import Consent, up
from clusterprint.load import load_text
from clusterprint.review.model import Report

MACHINE = {"name": "a", "machine_type": "a2-highgpu-1g", "zone": "us-central1-a"}
CREATE = {"actions": ["create"], "before": None, "after": MACHINE, "after_unknown": {}}


def plan(*, stands: bool = False) -> dict[str, Any]:
    """A plan that makes a machine with one GPU; where `stands`, beside another resource."""
    change = {
        "address": "google_compute_instance.a",
        "mode": "managed",
        "type": "google_compute_instance",
        "name": "a",
        "provider_name": "registry.terraform.io/hashicorp/google",
        "change": CREATE,
    }
    before = {"values": {"root_module": {"resources": [{"mode": "managed"}]}}} if stands else {}
    return {"format_version": "1.2", "resource_changes": [change], "prior_state": before}


def blueprint(folder: Path, policy: str = "") -> Document:
    """A blueprint in a folder, and the policy beside it."""
    folder.mkdir()
    if policy:
        (folder / "clusterprint.policy.yaml").write_text(f"policy: v1\n{policy}\n")
    text = b"clusterprint: v1\nkind: vm\nname: a\n"
    found = load_text(text, str(folder / "a.yaml"), folder).document
    assert found
    return found


def rules(report: Report) -> list[tuple[str, str]]:
    return [(each.message.partition(":")[0], each.rule) for each in report.policy.findings]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A current folder whose policy is about nothing that is below others."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here/clusterprint.policy.yaml").write_text("policy: v1\nlimits: {gpus: 0}\n")
    monkeypatch.chdir(tmp_path / "here")


def test_each_cluster_is_judged_by_the_policy_beside_its_blueprint(tmp_path: Path) -> None:
    documents = {
        "strict": blueprint(tmp_path / "strict", "expect: {labels: [team]}"),
        "free": blueprint(tmp_path / "free"),
    }
    report = review({"strict": plan(), "free": plan()}, documents)
    assert rules(report) == [("strict", "expect.labels")]
    assert report.verdict.level == "forbidden"
    assert review({"strict": plan()}, documents, ["expect.labels"]).verdict.level == "allowed"


def test_without_blueprints_the_policy_of_the_current_folder_judges() -> None:
    assert [rule for _, rule in rules(review({"a": plan()}))] == ["limits.gpus"]


def test_what_down_plans_is_not_called_protected_any_more() -> None:
    change = {"actions": ["delete"], "before": {"name": "d", "deletion_policy": "PREVENT"}, "after": None}
    entry = {"address": "google_compute_disk.d", "mode": "managed", "type": "google_compute_disk"}
    lost = {"format_version": "1.2", "resource_changes": [{**entry, "change": change}]}
    said = [
        next(each.message for each in review({"a": lost}, partly=partly).risks if each.name == "disk_removed")
        for partly in (True, False)
    ]
    assert said[0] == "disk d is removed, and with it the data on it"
    assert "because it is protected" in said[1]


class Run:
    """A session in which Terraform plans one machine for each stack."""

    def __init__(self, folder: Path, *, stands: bool = False) -> None:
        self._stands = stands
        stack = {
            "terraform": {"backend": {"gcs": {}}},
            "resource": {"google_compute_instance": {"a": MACHINE}},
        }
        (folder / "cdk.tf.json").write_text(json.dumps(stack))
        self.stacks = [
            Stack("a-cluster", folder, State("b", "a-cluster")),
            Stack("a-ray", folder, State("b", "a-ray"), ("a-cluster",)),
        ]
        self.applied: list[str] = []
        self.display = SimpleNamespace(line=print, begin=lambda *_: None, heard=print)

    @contextmanager
    def terraforms(self, _: object) -> Iterator[dict[str, Any]]:
        """Terraform for each stack."""
        yield {each.name: self._terraform(each) for each in self.stacks}

    def _terraform(self, stack: Stack) -> SimpleNamespace:
        return SimpleNamespace(
            place=SimpleNamespace(stack=stack),
            init=lambda: None,
            plan=lambda **_: True,
            planned=lambda: plan(stands=self._stands),
            apply=lambda **_: self.applied.append(stack.name),
            outputs=dict,
        )

    def each(self, chosen: list[Any], work: Callable[[Any], Any]) -> tuple[dict[str, Any], list[Any]]:
        """One after the other."""
        return {each.place.stack.name: work(each) for each in chosen}, []

    def persisting(self, _: object, step: Callable[[], Any], __: object) -> Any:
        """Once."""
        return step()

    def up(self, document: Document) -> Code:
        """Make both stacks of one blueprint."""
        documents = dict.fromkeys([each.name for each in self.stacks], document)
        consent = Consent(lambda _: None, lambda _: True, (), documents)
        return up(self.stacks, cast("Session", self), consent, plan_only=False).code


@pytest.mark.parametrize(
    ("policy", "code", "applied"),
    [
        ("limits: {gpus: 2}", Code.DONE, ["a-cluster", "a-ray"]),
        ("limits: {gpus: 1}", Code.FORBIDDEN, []),
        ("expect: {gpus: 1}", Code.FORBIDDEN, []),
        ("limits: {gpus: 0}", Code.FORBIDDEN, []),
        ("limits: {gpu: 1}", Code.PROBLEMS, []),
    ],
)
def test_limits_count_over_the_whole_run_before_anything_is_applied(
    policy: str, code: Code, applied: list[str], tmp_path: Path
) -> None:
    run = Run(tmp_path)
    assert run.up(blueprint(tmp_path / "team", policy)) is code
    assert run.applied == applied


def test_what_lies_in_a_stack_that_stands_counts_once_it_is_planned(tmp_path: Path) -> None:
    run = Run(tmp_path, stands=True)
    assert run.up(blueprint(tmp_path / "team", "limits: {gpus: 1}")) is Code.FORBIDDEN
    assert run.applied == ["a-cluster"]
