"""The action, its own steps run against a real repository with branches, and a forge that remembers."""

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import hostile_git
import pytest
from composite import Ran, Runner
from forges import BOT, READER, WRITER, Forge
from gitops.conftest import VM
from pull_request import Repository, git
from support import BLUEPRINTS, ROOT

pytestmark = pytest.mark.slow

GKE = (BLUEPRINTS / "gke-smallest.yaml").read_text("utf-8")
BUCKET = "storage: {buckets: [{name: first-data, create: true}]}\n"
SECOND = VM.replace("name: first", "name: second") + "network: {cidr: 10.64.0.0/16}\n"
THREE = VM.replace("a2-highgpu-1g", "a2-highgpu-1g, count: 3")
RESIZED = "<b>first</b> (vm) changed: 2 to add"
RAY = (BLUEPRINTS / "ray-h200.yaml").read_text("utf-8")
WRONG = VM.replace("zone: us-central1-a", "zone: us-east4-b")
MARK = "<!-- clusterprint:review -->"

Review = Callable[..., Ran]


@pytest.fixture
def review(repository: Repository, forge: Forge, command: Path, tmp_path: Path) -> Review:
    """Run the action on the pull request as it is now, on a machine of its own."""
    runs = iter(range(100))

    def run(
        event: dict[str, Any] | None = None,
        *,
        token: str = WRITER,
        ref: str = "refs/pull/7/merge",
        depth: int = 2,
        environment: Mapping[str, str] = MappingProxyType({}),
        **inputs: str,
    ) -> Ran:
        workspace = repository.checkout(tmp_path / "workspace", ref, depth)
        temporary = tmp_path / f"temporary-{next(runs)}"
        temporary.mkdir()
        around = {
            "GITHUB_GRAPHQL_URL": f"{forge.url}/graphql",
            "GITHUB_REPOSITORY": "team/clusters",
            "CLUSTERPRINT_RETRY_SECONDS": "0.01",
            "XDG_CACHE_HOME": str(ROOT / ".cache"),
            **environment,
        }
        runner = Runner(
            workspace,
            temporary,
            event if event is not None else repository.event(),
            around,
            token=token,
            repository="team/clusters",
            run_id="4711",
            server_url="https://forge",
        )
        ran = runner.action(ROOT / "action.yml", {"command": str(command), **inputs})
        assert git(workspace, "status", "--porcelain") == "", "the checkout is left as it was"
        return ran

    return run


def report(ran: Ran) -> Any:
    return json.loads((Path(ran.outputs["folder"]) / "review.json").read_text("utf-8"))


def actions(ran: Ran) -> set[tuple[str, str, str]]:
    """What happens: cluster, action, type of resource."""
    return {
        (cluster["name"], change["action"], change["type"])
        for cluster in report(ran)["clusters"]
        for group in cluster["groups"]
        for change in group["changes"]
    }


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


# ---- what it is compared with


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
    assert "is no revision of this checkout" in ran.annotations[-1][2]
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


# ---- policy

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
    ran = review(allow="data_los")
    assert (ran.code, ran.outputs["exit-code"], ran.outputs["changed"]) == (2, "2", "true")
    (comment,) = forge.by(BOT)
    assert "could not be reviewed" in comment
    assert "did you mean 'data_loss'?" in comment
    assert "could not be reviewed" in ran.summary
    assert "actions/upload-artifact" in ran.used


# ---- nothing of a pull request is a command


def test_texts_of_a_pull_request_command_neither_shell_nor_runner(
    repository: Repository, review: Review, tmp_path: Path
) -> None:
    hostile = VM + 'labels: {team: "$(touch hit)"}\nmetadata: {note: "\\n::error::gotcha\\n::add-mask::x"}\n'
    repository.propose(
        {"blueprints/first.yaml": hostile, "blueprints/$(touch hit).yaml": "::error::gotcha\n"}
    )
    ran = review()
    assert not list(tmp_path.rglob("hit"))
    assert not [each for each in ran.annotations if each[2].startswith("gotcha") or each[0] == "add-mask"]


def test_several_folders_of_blueprints(repository: Repository, review: Review) -> None:
    repository.propose({"other place/second.yaml": SECOND})
    ran = review(blueprints="blueprints\n\nother place\n")
    assert ran.code == 0, ran.printed
    assert {cluster for cluster, _, _ in actions(ran)} == {"second"}


def test_warnings_count_when_strict(repository: Repository, review: Review) -> None:
    elsewhere = SECOND.replace("us-central1", "us-west4")
    repository.propose({"blueprints/second.yaml": elsewhere})
    assert review().code == 0
    assert review(strict="true").code == 1


# ---- nothing of a pull request becomes a part of what runs

#: Settings of a job that make Python and pip look into the current folder: careless, and common.
CARELESS = {
    "PYTHONPATH": ".:src",
    "PYTHONSTARTUP": "sitecustomize.py",
    "PIP_CONFIG_FILE": "pip.conf",
    "PIP_TARGET": ".",
}


def traps(hit: Path) -> dict[str, str | None]:
    """Files by which Python, pip and uv would run something of the folder that they are called in."""
    python = f"open({str(hit)!r}, 'a').write(__file__ + '\\n')\n"
    modules = (
        *(
            "venv/__init__",
            "venv/__main__",
            "pip/__init__",
            "pip/__main__",
            "ensurepip/__init__",
            "sitecustomize",
        ),
        *("usercustomize", "click", "json", "msgspec", "hatchling/__init__", "setup", "conftest"),
        *("clusterprint/__init__", "clusterprint/__main__", "clusterprint/gitops/__init__"),
        *("clusterprint/gitops/comment", "clusterprint/gitops/base", "stacks/__init__", "src/click"),
    )
    return {
        **{f"{name}.py": python for name in modules},
        "evil.pth": f"import sys; open({str(hit)!r}, 'a').write('pth')\n",
        "pip.conf": "[global]\nindex-url = https://127.0.0.1:9/evil\nno-index = true\n",
        "setup.cfg": "[install]\nprefix = .\n",
        "uv.toml": 'index-url = "https://127.0.0.1:9/evil"\n',
        "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "setup"\nbackend-path = ["."]\n',
        "requirements.txt": "evil\n",
        "clusterprint/gitops/requirements.txt": "evil\n",
    }


def test_with_a_command_that_is_there(repository: Repository, review: Review, tmp_path: Path) -> None:
    repository.propose({"blueprints/second.yaml": SECOND, **traps(tmp_path / "hit")})
    ran = review(environment=CARELESS)
    assert ran.code == 0, ran.printed
    assert not (tmp_path / "hit").exists(), (tmp_path / "hit").read_text()


def test_the_setup_action_makes_commands_that_ignore_the_folder_they_run_in(
    command: Path, tmp_path: Path
) -> None:
    hit, checkout = tmp_path / "hit", tmp_path / "checkout"
    for name, text in traps(hit).items():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(str(text))
    ran = Runner(checkout, tmp_path, {}, CARELESS).action(
        ROOT / "setup/action.yml", {"command": str(command)}
    )
    assert ran.code == 0, ran.printed
    for words, said in (
        ([ran.outputs["command"], "--version"], "clusterprint"),
        ([ran.outputs["python"], "-m", "clusterprint.gitops.comment", "--help"], "one comment"),
    ):
        done = subprocess.run(
            words, cwd=checkout, env={**os.environ, **CARELESS}, capture_output=True, text=True, check=False
        )
        assert (done.returncode, said in done.stdout) == (0, True), done.stderr
    assert not hit.exists(), hit.read_text()


@pytest.mark.parametrize("place", ["blueprints", "."])
def test_a_bare_repository_in_the_pull_request(
    place: str, repository: Repository, review: Review, tmp_path: Path
) -> None:
    hit, program = hostile_git.trap(tmp_path)
    repository.propose({"blueprints/second.yaml": SECOND})
    git(repository.folder, "checkout", "--quiet", "change")
    hostile_git.bare_inside(repository.folder / place, program, repository.folder / ".git/objects")
    repository.propose({"blueprints/.gitattributes": "* filter=x\n"})
    ran = review()
    assert not hit.exists(), hit.read_text()
    assert ran.code == 0, ran.printed
    assert {cluster for cluster, _, _ in actions(ran)} == {"second"}


@pytest.mark.xdist_group("package")
def test_it_installs_itself(repository: Repository, review: Review, forge: Forge, tmp_path: Path) -> None:
    """As it is used: nothing but Python, pip and git, and a pull request that wants to take part."""
    repository.propose({"blueprints/second.yaml": SECOND, **traps(tmp_path / "hit")})
    ran = review(command="", environment=CARELESS)
    assert not (tmp_path / "hit").exists(), (tmp_path / "hit").read_text()
    assert ran.code == 0, ran.printed
    assert len(forge.by(BOT)) == 1
