"""The one comment: made once, then kept up to date, never repeated, never somebody else's."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from forges import BOT, READER, WRITER, Forge
from support import ROOT

pytestmark = pytest.mark.slow

MARK = "<!-- clusterprint:review -->"
Post = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(params=["github", "gitlab"])
def post(request: pytest.FixtureRequest, forge: Forge, tmp_path: Path) -> Post:
    """Run the script on a report, as a workflow does."""

    def run(
        report: str, *arguments: str, token: str = WRITER, **environment: str
    ) -> "subprocess.CompletedProcess[str]":
        (tmp_path / "review.md").write_text(report, "utf-8")
        given = {
            "PATH": os.environ["PATH"],
            "GITHUB_GRAPHQL_URL": f"{forge.url}/graphql",
            "GITHUB_REPOSITORY": "team/clusters",
            "GITHUB_TOKEN": token,
            "PULL_REQUEST": "7",
            "CI_API_V4_URL": f"{forge.url}/api/v4",
            "CI_PROJECT_ID": "42",
            "CI_MERGE_REQUEST_IID": "7",
            "CLUSTERPRINT_TOKEN": token,
            "CLUSTERPRINT_RETRY_SECONDS": "0.01",
            "GITHUB_OUTPUT": str(tmp_path / "outputs"),
            **environment,
        }
        command = [sys.executable, "-I", ROOT / "clusterprint/gitops/comment.py", "--forge", request.param]
        return subprocess.run(
            [*command, *arguments, tmp_path / "review.md"],
            env=given,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    run.forge = request.param  # type: ignore[attr-defined]
    return run


def test_the_first_run_writes_it_and_the_next_ones_update_it(post: Post, forge: Forge) -> None:
    forge.add("alice", "Looks good to me")
    first = post("# Nothing is lost\n")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.startswith("comment created: ")
    assert forge.by(BOT) == [f"{MARK}\n# Nothing is lost\n"]

    again = post("# Two nodes more\n", "--footer", "Of commit abc.")
    assert again.stdout.startswith("comment updated: ")
    assert forge.by(BOT) == [f"{MARK}\n# Two nodes more\n\n<sub>Of commit abc.</sub>\n"]
    assert forge.by("alice") == ["Looks good to me"]

    asked = len(forge.asked)
    same = post("# Two nodes more\n", "--footer", "Of commit abc.")
    assert same.stdout.startswith("comment unchanged: ")
    assert not any("update" in each or "PUT" in each for each in forge.asked[asked:])


def test_the_address_is_an_output_of_the_step(post: Post, forge: Forge, tmp_path: Path) -> None:
    told = post("text").stdout.removeprefix("comment created: ").strip()
    assert told.endswith(str(forge.comments[0]["number"]))
    assert (tmp_path / "outputs").read_text() == f"comment-url={told}\n"


def test_it_is_found_behind_hundreds_of_others(post: Post, forge: Forge) -> None:
    for number in range(150):
        forge.add("alice", f"comment {number}")
    forge.add(BOT, f"{MARK}\nold")
    for number in range(120):
        forge.add("bob", f"comment {number}")
    assert post("new").stdout.startswith("comment updated")
    assert forge.by(BOT) == [f"{MARK}\nnew\n"]


def test_nobody_elses_comment_is_touched_although_it_carries_the_mark(post: Post, forge: Forge) -> None:
    forge.add("mallory", f"{MARK}\napproved")
    forge.add(BOT, f"as quoted: {MARK}\nsomething else")
    forge.add(BOT, "<!-- clusterprint:plan -->\nanother report")
    assert post("the review").stdout.startswith("comment created")
    assert forge.by("mallory") == [f"{MARK}\napproved"]
    assert forge.by(BOT) == [
        f"as quoted: {MARK}\nsomething else",
        "<!-- clusterprint:plan -->\nanother report",
        f"{MARK}\nthe review\n",
    ]


def test_two_that_came_from_two_runs_become_one(post: Post, forge: Forge) -> None:
    forge.add(BOT, f"{MARK}\nfirst")
    forge.add(BOT, f"{MARK}\nsecond")
    post("third")
    assert forge.by(BOT) == [f"{MARK}\nthird\n"]
    assert forge.comments[0]["number"] == 1, "the older one stays where people saw it"


def test_without_a_change_nothing_is_said_unless_there_was_before(post: Post, forge: Forge) -> None:
    assert post("no change", "--only-update").stdout == "comment left out\n"
    assert forge.comments == []
    post("a change")
    assert post("no change", "--only-update").stdout.startswith("comment updated")
    assert forge.by(BOT) == [f"{MARK}\nno change\n"]


def test_keys_tell_comments_apart(post: Post, forge: Forge) -> None:
    post("review")
    post("plan", "--key", "plan")
    post("review again")
    assert forge.by(BOT) == [f"{MARK}\nreview again\n", "<!-- clusterprint:plan -->\nplan\n"]


@pytest.mark.parametrize("key", ["", "--> <b>", "a--b", "x" * 101, "-a"])
def test_a_key_cannot_end_the_mark(post: Post, forge: Forge, key: str) -> None:
    done = post("text", f"--key={key}")
    assert done.returncode == 2
    assert "is not a key" in done.stderr
    assert forge.comments == []


def test_a_token_that_may_not_comment_is_no_failure(post: Post, forge: Forge) -> None:
    done = post("text", token=READER)
    assert (done.returncode, done.stderr) == (0, "")
    assert "no comment, this run may not write one" in done.stdout
    assert done.stdout.startswith("::notice title=clusterprint::") == (post.forge == "github")  # type: ignore[attr-defined]
    assert forge.comments == []


def test_passing_faults_are_waited_out_and_nothing_is_written_twice(post: Post, forge: Forge) -> None:
    forge.faults = [502, 503, 429]
    assert post("text").returncode == 0
    assert forge.by(BOT) == [f"{MARK}\ntext\n"]


def test_lasting_faults_fail_in_one_line(post: Post, forge: Forge) -> None:
    forge.faults = [500] * 50
    done = post("text")
    assert done.returncode == 3
    assert done.stderr.startswith("error: the comment could not be written: ")
    assert done.stderr.count("\n") == 1
    assert WRITER not in done.stderr + done.stdout


def test_a_forge_that_is_not_there_fails_in_one_line(post: Post, forge: Forge) -> None:
    gone = "http://127.0.0.1:9"
    done = post("text", GITHUB_GRAPHQL_URL=gone, CI_API_V4_URL=gone)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert forge.asked == []


def test_an_address_that_is_none_is_not_opened(post: Post) -> None:
    done = post("text", GITHUB_GRAPHQL_URL="file:///etc/hostname", CI_API_V4_URL="file:///etc")
    assert done.returncode == 3
    assert "is not a web address" in done.stderr


@pytest.mark.parametrize("missing", ["GITHUB_TOKEN", "PULL_REQUEST", "GITHUB_REPOSITORY"])
def test_what_the_environment_lacks_is_named(post: Post, missing: str) -> None:
    if post.forge == "gitlab":  # type: ignore[attr-defined]
        missing = {"GITHUB_TOKEN": "CLUSTERPRINT_TOKEN", "PULL_REQUEST": "CI_MERGE_REQUEST_IID"}.get(
            missing, "CI_API_V4_URL"
        )
    done = post("text", **{missing: ""})
    assert done.returncode == 3
    assert f"the environment has no {missing}" in done.stderr


def test_a_report_that_is_too_long_says_so_instead_of_failing(post: Post, forge: Forge) -> None:
    limit = 65_536 if post.forge == "github" else 1_000_000  # type: ignore[attr-defined]
    room = limit - len(f"{MARK}\n\n")
    post("x" * room)
    assert forge.by(BOT) == [f"{MARK}\n{'x' * room}\n"]
    post("**2 clusters change**\n\n" + "x" * limit, "--footer", "See [the run](https://forge/run).")
    (text,) = forge.by(BOT)
    assert len(text) < 1000
    assert "**2 clusters change**" in text
    assert f"a comment holds {limit:,}" in text
    assert "See [the run]" in text
