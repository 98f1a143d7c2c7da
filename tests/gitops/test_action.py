"""The action, its own steps run against a real repository with branches, and a forge that remembers."""

import json
from pathlib import Path

import pytest
from forges import BOT, READER, Forge
from gitops.actions import BUCKET, SECOND, Review, actions
from gitops.conftest import VM
from pull_request import Repository
from support import BLUEPRINTS

pytestmark = [pytest.mark.slow, pytest.mark.long]

GKE = (BLUEPRINTS / "gke-smallest.yaml").read_text("utf-8")
WRONG = VM.replace("zone: us-central1-a", "zone: us-east4-b")
MARK = "<!-- clusterprint:review -->"

CHANGES: dict[str, tuple[dict[str, str | None], dict[str, str | None], set[tuple[str, str, str]], str]] = {
    # name: (main, pull request, some of what happens, words of the comment)
    "added-cluster": (
        {},
        {"blueprints/second.yaml": SECOND},
        {
            ("second", "added", "google_compute_instance_group_manager"),
            ("second", "added", "google_compute_network"),
        },
        "second",
    ),
    "resized-pool": (
        {},
        {"blueprints/first.yaml": VM.replace("a2-highgpu-1g", "a2-highgpu-1g, count: 3")},
        {("first", "added", "google_compute_per_instance_config")},
        "A100",
    ),
    "renamed-pool": (
        {"blueprints/gke.yaml": GKE},
        {"blueprints/gke.yaml": GKE.replace("name: gpu", "name: inference")},
        {
            ("first-gke", "removed", "google_container_node_pool"),
            ("first-gke", "added", "google_container_node_pool"),
        },
        "inference",
    ),
    "changed-zone": (
        {},
        {"blueprints/first.yaml": VM.replace("us-central1-a", "us-central1-c")},
        {("first", "replaced", "google_compute_instance_group_manager")},
        "us-central1-c",
    ),
    "removed-bucket": (
        {"blueprints/first.yaml": VM + BUCKET},
        {"blueprints/first.yaml": VM},
        {("first", "removed", "google_storage_bucket")},
        "first-data",
    ),
    "changed-machine-type": (
        {},
        {"blueprints/first.yaml": VM.replace("a2-highgpu-1g", "a2-highgpu-2g")},
        {("first", "replaced", "google_compute_instance_template")},
        "a2-highgpu-2g",
    ),
    "label-only": (
        {},
        {"blueprints/first.yaml": VM + "labels: {team: research}\n"},
        {
            ("first", "replaced", "google_compute_instance_template"),
            ("first", "changed", "google_compute_instance_group_manager"),
        },
        "research",
    ),
    "two-clusters": (
        {"blueprints/second.yaml": SECOND},
        {
            "blueprints/first.yaml": VM.replace("a2-highgpu-1g", "a2-highgpu-1g, count: 2"),
            "blueprints/second.yaml": SECOND.replace("a2-highgpu-1g", "a2-highgpu-1g, count: 2"),
        },
        {(name, "added", "google_compute_per_instance_config") for name in ("first", "second")},
        "second",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_told_in_one_comment(
    name: str, repository: Repository, review: Review, forge: Forge
) -> None:
    before, after, expected, word = CHANGES[name]
    if before:
        repository.commit(before)
    repository.propose(after)
    ran = review()
    assert ran.code == 0, ran.printed
    assert (ran.outputs["exit-code"], ran.outputs["changed"]) == ("4", "true")
    assert expected <= actions(ran)
    (comment,) = forge.by(BOT)
    assert comment.startswith(f"{MARK}\n")
    assert word in comment
    assert ran.summary.strip() in comment, "summary and comment say the same"
    assert ran.outputs["comment-url"] == "https://forge/c1"


def test_the_next_push_updates_the_same_comment(repository: Repository, review: Review, forge: Forge) -> None:
    forge.add("alice", "Why three?")
    repository.propose({"blueprints/first.yaml": VM.replace("a2-highgpu-1g", "a2-highgpu-1g, count: 3")})
    first = review()
    repository.propose({"blueprints/first.yaml": VM.replace("a2-highgpu-1g", "a2-highgpu-1g, count: 2")})
    second = review()
    assert first.outputs["comment-url"] == second.outputs["comment-url"] == "https://forge/c2"
    assert forge.by("alice") == ["Why three?"]
    (comment,) = forge.by(BOT)
    assert second.summary.strip() in comment
    assert first.summary.strip() not in comment
    head = repository.event()["pull_request"]["head"]["sha"]
    assert f"Of commit {head}." in comment

    repository.propose({"blueprints/first.yaml": VM})
    third = review()
    assert (third.code, third.outputs["exit-code"], third.outputs["changed"]) == (0, "0", "false")
    assert len(forge.by(BOT)) == 1, "nothing changes any more, and the comment says so"


def test_what_touches_no_cluster_is_not_commented_on(
    repository: Repository, review: Review, forge: Forge
) -> None:
    repository.propose({"README.md": "more words\n"})
    ran = review()
    assert (ran.code, ran.outputs["changed"], ran.outputs["comment-url"]) == (0, "false", "")
    assert forge.comments == []


def test_problems_are_on_their_lines_in_the_comment_and_in_code_scanning(
    repository: Repository, review: Review, forge: Forge
) -> None:
    repository.propose({"blueprints/first.yaml": WRONG})
    ran = review()
    assert ran.code == 1
    (annotation,) = [each for each in ran.annotations if "GCP001" in each[1]]
    assert annotation[0] == "error"
    line = WRONG.splitlines().index("zone: us-east4-b") + 1
    assert f"file=blueprints/first.yaml,line={line}," in annotation[1]
    (comment,) = forge.by(BOT)
    assert "GCP001" in comment
    assert ran.outputs["exit-code"] == "1"
    sarif = json.loads(Path(ran.used["github/codeql-action/upload-sarif"]["sarif_file"]).read_text("utf-8"))
    assert [result["ruleId"] for result in sarif["runs"][0]["results"]] == ["GCP001"]
    assert not (Path(ran.outputs["folder"]) / "cdktf.out").exists(), "nothing is synthesized"

    repository.propose({"blueprints/first.yaml": VM})
    assert review().code == 0
    (comment,) = forge.by(BOT)
    assert "GCP001" not in comment


def test_a_base_without_blueprints(repository: Repository, review: Review, forge: Forge) -> None:
    repository.commit({"blueprints/first.yaml": None})
    repository.propose({"blueprints/first.yaml": VM})
    ran = review()
    assert ran.code == 0, ran.printed
    assert {action for _, action, _ in actions(ran)} == {"added"}
    assert len(forge.by(BOT)) == 1


def test_the_report_its_page_and_the_terraform_json_are_kept(repository: Repository, review: Review) -> None:
    repository.propose({"blueprints/second.yaml": SECOND})
    ran = review()
    kept = Path(ran.used["actions/upload-artifact"]["path"])
    assert {"review.md", "review.html", "review.json", "validate.sarif", "cdktf.out"} <= {
        each.name for each in kept.iterdir()
    }
    assert sorted(each.name for each in (kept / "cdktf.out/stacks").iterdir()) == ["first", "second"]
    assert "<svg" in (kept / "review.html").read_text("utf-8")
    for file in kept.glob("review.*"):
        assert str(kept.parent) not in file.read_text("utf-8"), "no path of the machine"


def test_a_fork_gets_its_report_in_the_summary(repository: Repository, review: Review, forge: Forge) -> None:
    repository.propose({"blueprints/second.yaml": SECOND})
    event = repository.event()
    event["pull_request"]["head"]["repo"] = {"full_name": "stranger/clusters"}
    ran = review(event, token=READER)
    assert ran.code == 0, ran.printed
    assert forge.comments == []
    assert "second" in ran.summary
    assert [each for each in ran.annotations if each[0] == "notice" and "may not write one" in each[2]]
    assert "actions/upload-artifact" in ran.used
