"""The base that the action compares a change with."""

import pytest
from forges import Forge
from gitops.actions import SECOND, Review, actions
from gitops.conftest import VM
from pull_request import Repository, git

pytestmark = [pytest.mark.slow, pytest.mark.long]


def test_what_others_did_on_main_meanwhile_is_not_in_the_report(
    repository: Repository, review: Review
) -> None:
    repository.propose({"blueprints/first.yaml": VM.replace("a2-highgpu-1g", "a2-highgpu-1g, count: 2")})
    repository.advance({"blueprints/second.yaml": SECOND})
    event = repository.event()
    event["pull_request"]["base"]["sha"] = git(
        repository.folder, "rev-parse", "main~1"
    )  # as it was when this began
    assert {cluster for cluster, _, _ in actions(review(event))} == {"first"}


@pytest.mark.parametrize(
    ("ref", "depth"), [("refs/heads/change", 1), ("refs/heads/change", 9), ("refs/pull/7/merge", 1)]
)
def test_other_checkouts_find_the_base_too(
    ref: str, depth: int, repository: Repository, review: Review
) -> None:
    repository.propose({"blueprints/second.yaml": SECOND})
    ran = review(ref=ref, depth=depth)
    assert ran.code == 0, ran.printed
    assert {cluster for cluster, _, _ in actions(ran)} == {"second"}


def test_a_base_that_was_asked_for(repository: Repository, review: Review) -> None:
    older = git(repository.folder, "rev-parse", "main")
    repository.commit({"blueprints/second.yaml": SECOND})
    repository.propose({"README.md": "nothing\n"})
    assert review(depth=5, base=older).outputs["changed"] == "true"
    assert review(depth=5).outputs["changed"] == "false"


@pytest.mark.parametrize("base", ["no-such-branch", "--output=x", "main::error::gotcha"])
def test_a_base_that_is_not_there_is_wrong_usage(base: str, repository: Repository, review: Review) -> None:
    repository.propose({"blueprints/second.yaml": SECOND})
    ran = review(base=base)
    assert ran.code == 2
    assert "is not a revision of this checkout" in ran.annotations[-1][2]
    assert not [each for each in ran.annotations if "gotcha" in each[2] and each[2].startswith("gotcha")]


def test_a_push_is_compared_with_what_was_there_before_it_and_comments_nowhere(
    repository: Repository, review: Review, forge: Forge
) -> None:
    before = git(repository.folder, "rev-parse", "main")
    repository.commit({"blueprints/second.yaml": SECOND})
    ran = review({"before": before, "after": "x"}, ref="main")
    assert ran.code == 0, ran.printed
    assert {cluster for cluster, _, _ in actions(ran)} == {"second"}
    assert forge.asked == []
    assert "second" in ran.summary


def test_the_first_push_of_a_branch_has_no_before(repository: Repository, review: Review) -> None:
    repository.commit({"blueprints/second.yaml": SECOND})
    ran = review({"before": "0" * 40}, ref="main")
    assert {cluster for cluster, _, _ in actions(ran)} == {"second"}


def test_without_anything_to_compare_with_it_fails_and_says_so(
    repository: Repository, review: Review
) -> None:
    repository.commit({"blueprints/second.yaml": SECOND})
    ran = review({"before": "0" * 40}, ref="main", depth=1)
    assert (ran.code, ran.outputs["exit-code"]) == (2, "2")
    assert "there is nothing to compare with: check out with fetch-depth: 2" in ran.annotations[-1][2]
    assert "could not be reviewed" in ran.summary


def test_several_folders_of_blueprints(repository: Repository, review: Review) -> None:
    repository.propose({"other place/second.yaml": SECOND})
    ran = review(blueprints="blueprints\n\nother place\n")
    assert ran.code == 0, ran.printed
    assert {cluster for cluster, _, _ in actions(ran)} == {"second"}
