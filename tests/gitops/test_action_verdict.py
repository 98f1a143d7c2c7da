"""Changes that the action allows: policies, labels, and unknown values."""

import pytest
from forges import BOT, Forge
from gitops.actions import BUCKET, SECOND, Review, report
from gitops.conftest import VM
from pull_request import Repository
from support import BLUEPRINTS

pytestmark = [pytest.mark.slow, pytest.mark.long]

THREE = VM.replace("a2-highgpu-1g", "a2-highgpu-1g, count: 3")
RESIZED = "<b>first</b> (vm) changed: 2 to add"
RAY = (BLUEPRINTS / "ray-h200.yaml").read_text("utf-8")
POLICY = "policy: v1\nforbid: [data_loss]\n"


def test_what_the_policy_forbids_fails_until_a_label_allows_it(
    repository: Repository, review: Review, forge: Forge
) -> None:
    repository.commit({"clusterprint.policy.yaml": POLICY, "blueprints/first.yaml": VM + BUCKET})
    repository.propose({"blueprints/first.yaml": VM})
    ran = review()
    assert (ran.code, ran.outputs["exit-code"]) == (5, "5")
    assert "the policy forbids this change" in ran.annotations[-1][2]
    assert "clusterprint.policy.yaml" in forge.by(BOT)[0]
    assert "actions/upload-artifact" in ran.used

    labelled = repository.event(labels=[{"name": "urgent"}, {"name": "clusterprint-allow-data_loss"}])
    ran = review(labelled)
    assert (ran.code, ran.outputs["exit-code"]) == (0, "4"), ran.printed
    assert report(ran)["policy"]["allowed"] == ["data_loss"]
    assert len(forge.by(BOT)) == 1
    assert review(allow="\ndata_loss\n").code == 0


def test_a_pull_request_does_not_loosen_its_own_policy(repository: Repository, review: Review) -> None:
    repository.commit({"clusterprint.policy.yaml": POLICY, "blueprints/first.yaml": VM + BUCKET})
    repository.propose({"clusterprint.policy.yaml": "policy: v1\n", "blueprints/first.yaml": VM})
    assert review().code == 5


def test_a_label_that_means_nothing_allows_nothing_and_the_comment_says_so(
    repository: Repository, review: Review, forge: Forge
) -> None:
    repository.commit({"clusterprint.policy.yaml": POLICY, "blueprints/first.yaml": VM + BUCKET})
    repository.propose({"blueprints/first.yaml": VM})
    ran = review(repository.event(labels=[{"name": "clusterprint-allow-data-loss"}]))
    assert (ran.code, ran.outputs["exit-code"]) == (5, "5"), ran.printed
    (comment,) = forge.by(BOT)
    assert "The label clusterprint-allow-data-loss allows nothing" in comment
    assert "did you mean clusterprint-allow-data\\_loss?" in comment


INCOMPLETE: dict[str, tuple[dict[str, str | None], dict[str, str | None], int, list[str]]] = {
    # name: (main, pull request, exit code of the review, words of the comment besides what is known)
    "no-list-price": (
        {},
        {"blueprints/first.yaml": VM.replace("a2-highgpu-1g", "g4-standard-6")},
        4,
        [
            "1 to change, 1 to replace",
            "-$3.67 per hour for what has a list price",
            "Without a list price, and so not in the sums: g4-standard-6 (on-demand).",
        ],
    ),
    "one-that-is-not-yaml": (
        {},
        {"blueprints/first.yaml": THREE, "blueprints/broken.yaml": "nodes: [\n"},
        1,
        [RESIZED, "this `[` is not closed", "blueprints/broken.yaml cannot be read at the work tree"],
    ),
    "one-that-was-not-yaml": (
        {"blueprints/second.yaml": "nodes: [\n"},
        {"blueprints/first.yaml": THREE, "blueprints/second.yaml": SECOND},
        4,
        [
            RESIZED,
            "what would change in second is not known: the earlier version of the blueprint cannot be read",
            "per hour for what could be compared",
            "Not compared, and so not in the sums: second.",
            "<b>second</b> (vm) changed: what would change is not known",
        ],
    ),
    "a-file-that-is-not-there": (
        {},
        {"blueprints/first.yaml": THREE, "blueprints/second.yaml": f"{SECOND}files: [{{source: ./gone}}]\n"},
        1,
        [RESIZED, "./gone does not exist", "Not compared, and so not in the sums: second."],
    ),
    "a-lock-that-is-none": (
        {},
        {"blueprints/first.yaml": THREE, "blueprints/r.yaml": RAY, "blueprints/oasis.image.lock": "]"},
        1,
        [RESIZED, "`RAY023`", "Not compared, and so not in the sums: oasis."],
    ),
    "a-policy-that-is-none": (
        {"clusterprint.policy.yaml": "forbid: ["},
        {"blueprints/first.yaml": THREE},
        1,
        [RESIZED, "`clusterprint.policy.yaml:1:9`", "1 error in blueprints"],
    ),
}


@pytest.mark.parametrize("name", INCOMPLETE)
def test_the_comment_says_what_is_not_known_and_all_else(
    name: str, repository: Repository, review: Review, forge: Forge
) -> None:
    main, change, code, words = INCOMPLETE[name]
    repository.commit(main)
    repository.propose(change)
    assert report(review())["verdict"]["exit_code"] == code
    (comment,) = forge.by(BOT)
    plain = comment.replace("\\", "")
    assert [word for word in words if word not in plain] == []


def test_without_a_report_the_comment_says_why(repository: Repository, review: Review, forge: Forge) -> None:
    repository.propose({"blueprints/second.yaml": SECOND})
    ran = review(allow="dataloss")
    assert (ran.code, ran.outputs["exit-code"], ran.outputs["changed"]) == (2, "2", "true")
    (comment,) = forge.by(BOT)
    assert "could not be reviewed" in comment
    assert "did you mean 'data_loss'?" in comment
    assert "could not be reviewed" in ran.summary
    assert "actions/upload-artifact" in ran.used


def test_warnings_count_when_strict(repository: Repository, review: Review) -> None:
    elsewhere = SECOND.replace("us-central1", "us-west4")
    repository.propose({"blueprints/second.yaml": elsewhere})
    assert review().code == 0
    assert review(strict="true").code == 1
