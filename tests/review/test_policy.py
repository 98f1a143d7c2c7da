"""Policies: the file, its judgement, and which version of it counts."""

import shutil
from pathlib import Path

import msgspec
import pytest
from review.conftest import STORED, TEAM, Repository

from clusterprint.review.model import Report

pytestmark = pytest.mark.slow

POLICY = """\
policy: v1
forbid: [data_loss, replacement]
limits: {gpus: 8}
"""


def put(repository: Repository, text: str) -> None:
    (repository.folder / "clusterprint.policy.yaml").write_text(text, "utf-8")


@pytest.fixture
def guarded(repository: Repository) -> Repository:
    """A repository whose main branch has a policy."""
    put(repository, POLICY)
    repository.commit()
    repository.git("branch", "--force", "main", "change")
    return repository


def test_what_the_policy_does_not_mind_is_allowed(guarded: Repository) -> None:
    guarded.edit("team.yaml", "count: 2", "count: 3")
    report = guarded.review()
    assert report["verdict"]["exit_code"] == 4
    assert report["policy"] == {
        "files": ["clusterprint.policy.yaml"],
        "version": "main",
        "findings": [],
        "allowed": [],
        "changed": [],
    }


def test_a_limit_is_exceeded(guarded: Repository) -> None:
    guarded.edit("team.yaml", "count: 2", "count: 4")
    report = guarded.review()
    assert report["verdict"]["exit_code"] == 5
    (finding,) = report["policy"]["findings"]
    assert (finding["rule"], finding["line"], finding["column"]) == ("limits.gpus", 3, 16)
    assert finding["message"] == "16 more GPUs, and the policy allows 8"
    assert guarded.review("--allow", "gpus")["verdict"]["exit_code"] == 4


def test_replacement_needs_to_be_allowed(guarded: Repository) -> None:
    guarded.edit("team.yaml", "zone: us-central1-a", "zone: us-central1-b")
    report = guarded.review()
    assert report["verdict"]["exit_code"] == 5
    assert {each["rule"] for each in report["policy"]["findings"]} == {"replacement"}
    for name in ("replacement", "pool_replaced"):
        allowed = guarded.review("--allow", name)
        assert allowed["verdict"]["exit_code"] == 4
        assert {each["allowed_by"] for each in allowed["policy"]["findings"]} == {name}
    assert guarded.review("--allow", "data_loss")["verdict"]["exit_code"] == 5


def test_data_loss_is_forbidden_whatever_it_is(guarded: Repository) -> None:
    guarded.edit("team.yaml", STORED, "")
    report = guarded.review()
    assert report["verdict"]["level"] == "forbidden"
    assert "forbidden by policy: data_loss" in report["verdict"]["line"]


def test_lost_data_is_called_so_in_all_formats_and_can_be_allowed_by_that_word(guarded: Repository) -> None:
    guarded.edit("team.yaml", STORED, "")
    (lost,) = [each for each in guarded.review()["risks"] if "data_lost" in each["groups"]]
    assert (lost["name"], lost["place"]["side"]) == ("bucket_removed", "base")
    for form in ("text", "markdown", "html"):
        told = guarded.run("--base", "main", "--format", form).stdout
        assert "data_lost" in told.replace("\\", ""), form
    assert guarded.review("--allow", "data_lost")["verdict"]["exit_code"] == 4


def test_a_change_cannot_bring_its_own_policy(guarded: Repository) -> None:
    guarded.edit("team.yaml", "count: 2", "count: 4")
    put(guarded, "policy: v1\n")
    report = guarded.review()
    assert report["verdict"]["exit_code"] == 5
    assert "judged by the earlier version" in report["policy"]["changed"][0]


def test_a_new_policy_judges_from_the_next_change_on(repository: Repository) -> None:
    put(repository, POLICY)
    repository.edit("team.yaml", "count: 2", "count: 4")
    report = repository.review()
    assert report["verdict"]["exit_code"] == 4
    assert (report["policy"]["files"], report["policy"]["findings"]) == ([], [])
    assert report["policy"]["changed"] == [
        "The change adds clusterprint.policy.yaml: it judges from the next change on, and not this one."
    ]


def test_a_removed_policy_judges_once_more(guarded: Repository) -> None:
    (guarded.folder / "clusterprint.policy.yaml").unlink()
    guarded.edit("team.yaml", "count: 2", "count: 4")
    report = guarded.review()
    assert report["verdict"]["exit_code"] == 5
    assert "removes clusterprint.policy.yaml" in report["policy"]["changed"][0]


# ---- where it is looked for

FORBIDS_FEWER = "policy: v1\nforbid: [nodes_removed]\n"
PERMISSIVE = "policy: v1\nforbid: []\nlimits: {gpus: 1000, unknown_cost: allow}\n"


def judged_in(repository: Repository, folder: str, *arguments: str) -> Report:
    """A review that is run in a folder of the repository."""
    done = repository.run_in(folder, "--base", "main", "--format", "json", *arguments)
    assert done.stderr == ""
    return msgspec.json.decode(done.stdout, type=Report)


@pytest.mark.parametrize(
    ("folder", "paths", "file"),
    [
        (".", (), "clusterprint.policy.yaml"),
        (".", ("blueprints/team.yaml",), "clusterprint.policy.yaml"),
        ("blueprints", (".",), "../clusterprint.policy.yaml"),
        ("blueprints", ("team.yaml",), "../clusterprint.policy.yaml"),
        ("elsewhere", ("../blueprints",), "../clusterprint.policy.yaml"),
    ],
)
def test_it_is_found_from_every_folder(
    guarded: Repository, folder: str, paths: tuple[str, ...], file: str
) -> None:
    (guarded.folder / "elsewhere").mkdir()
    guarded.edit("team.yaml", "count: 2", "count: 4")
    report = judged_in(guarded, folder, *paths)
    assert report.policy.files == (file,)
    assert report.verdict.exit_code == 5


def test_all_policies_on_the_way_apply_and_none_lifts_another(guarded: Repository) -> None:
    guarded.write("clusterprint.policy.yaml", PERMISSIVE + "# nearer\n")
    guarded.write("prod/clusterprint.policy.yaml", FORBIDS_FEWER)
    guarded.write("prod/crew.yaml", TEAM.replace("team", "crew").replace("./setup.sh", "./setup.sh"))
    guarded.write("prod/setup.sh", "#!/bin/sh\n")
    guarded.commit()
    guarded.git("branch", "--force", "main", "change")
    guarded.edit("team.yaml", "count: 2", "count: 4")
    report = judged_in(guarded, ".")
    assert report.policy.files == (
        "clusterprint.policy.yaml",
        "blueprints/clusterprint.policy.yaml",
        "blueprints/prod/clusterprint.policy.yaml",
    )
    assert [(each.file, each.rule) for each in report.policy.findings] == [
        ("clusterprint.policy.yaml", "limits.gpus")
    ]
    # What is below a folder is judged by its policy too, and nothing else is.
    guarded.edit("prod/crew.yaml", "count: 2", "count: 1")
    guarded.edit("team.yaml", "count: 4", "count: 1")
    report = judged_in(guarded, ".")
    assert [(each.file, each.rule, each.message[:5]) for each in report.policy.findings] == [
        ("blueprints/prod/clusterprint.policy.yaml", "nodes_removed", "crew:")
    ]


def test_a_blueprint_cannot_leave_the_policy_of_its_folder(guarded: Repository) -> None:
    guarded.write("prod/clusterprint.policy.yaml", FORBIDS_FEWER)
    guarded.write("prod/crew.yaml", TEAM.replace("team", "crew"))
    guarded.write("prod/setup.sh", "#!/bin/sh\n")
    guarded.commit()
    guarded.git("branch", "--force", "main", "change")
    guarded.git("mv", "blueprints/prod", "blueprints/free")
    guarded.git("rm", "--quiet", "-f", "blueprints/free/clusterprint.policy.yaml")
    guarded.edit("free/crew.yaml", "count: 2", "count: 1")
    report = judged_in(guarded, ".")
    assert [each.file for each in report.policy.findings] == ["blueprints/prod/clusterprint.policy.yaml"]


def test_a_policy_that_is_a_link_is_not_followed(repository: Repository, tmp_path: Path) -> None:
    (tmp_path.parent / "secret").write_text("correct-horse: battery\n")
    (repository.folder / "clusterprint.policy.yaml").symlink_to(tmp_path.parent / "secret")
    done = repository.run("--base", "main", "--format", "json")
    assert done.returncode == 1
    assert "this is a link, not a file" in done.stdout
    assert "correct-horse" not in done.stdout + done.stderr


def test_a_link_does_not_hide_the_policy_that_was_there(guarded: Repository) -> None:
    file = guarded.folder / "clusterprint.policy.yaml"
    file.unlink()
    file.symlink_to("README")
    guarded.edit("team.yaml", "count: 2", "count: 4")
    report = judged_in(guarded, ".")
    assert [each.rule for each in report.policy.findings] == ["limits.gpus"]


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_every_report_says_which_policies_judged_it(guarded: Repository, form: str) -> None:
    told = guarded.run("--base", "main", "--format", form).stdout
    assert "clusterprint.policy.yaml" in told
    (guarded.folder / "clusterprint.policy.yaml").unlink()
    guarded.commit()
    guarded.git("branch", "--force", "main", "change")
    told = guarded.run("--base", "main", "--format", form).stdout
    assert ('"files": []' if form == "json" else "No policy found") in told


def test_of_two_folders_the_base_has_the_policy(guarded: Repository, tmp_path: Path) -> None:
    for name in ("old", "new"):
        shutil.copytree(guarded.folder / "blueprints", tmp_path / name / "blueprints")
    (tmp_path / "old" / "clusterprint.policy.yaml").write_text(FORBIDS_FEWER)
    file = tmp_path / "new" / "blueprints" / "team.yaml"
    file.write_text(file.read_text().replace("count: 2", "count: 1"))
    done = guarded.run("--base", "./old", "--head", "./new", "--format", "json")
    assert done.returncode == 5
    report = msgspec.json.decode(done.stdout, type=Report)
    assert (report.policy.files, report.policy.version) == (("clusterprint.policy.yaml",), "./old")


def test_a_policy_can_be_named(repository: Repository) -> None:
    (repository.folder / "strict.yaml").write_text("policy: v1\nforbid: [nodes_removed]\n")
    repository.edit("team.yaml", "count: 2", "count: 1")
    assert repository.review()["verdict"]["exit_code"] == 4
    assert repository.review("--policy", "strict.yaml")["verdict"]["exit_code"] == 5
    assert repository.run("--base", "main", "--policy", "nowhere.yaml").returncode == 2


@pytest.mark.parametrize(
    ("text", "line", "message", "help_text"),
    [
        ("policy: v1\nforbidd: [data_loss]\n", 2, "unknown key 'forbidd'", "did you mean 'forbid'?"),
        ("policy: v1\nforbid: [dataloss]\n", 2, "forbid[0] is 'dataloss'", "did you mean 'data_loss'?"),
        ("policy: v1\nlimits: {gpus: many}\n", 2, "limits.gpus must be a whole number", ""),
        ("policy: v2\n", 1, "policy is 'v2', but must be 'v1'", ""),
        ("forbid: [data_loss]\n", 1, "the policy has no 'policy'", "add it"),
        ("- policy\n", 1, "a policy is made of `key: value` lines", "start with `policy: v1`"),
    ],
)  # fmt: skip
def test_mistakes_in_a_policy(
    repository: Repository, text: str, line: int, message: str, help_text: str
) -> None:
    put(repository, text)
    report = repository.review()
    assert report["verdict"]["exit_code"] == 1
    (problem,) = report["problems"]
    assert (problem["file"], problem["line"]) == ("clusterprint.policy.yaml", line)
    assert message in problem["message"]
    assert "blueprint" not in problem["message"]
    assert help_text in problem["help"]


def test_allowing_what_no_policy_knows_is_wrong_usage(repository: Repository) -> None:
    done = repository.run("--base", "main", "--allow", "replacment")
    assert done.returncode == 2
    assert "did you mean 'replacement'?" in done.stderr


def test_a_label_allows_what_it_names_and_a_mistyped_one_nothing(guarded: Repository) -> None:
    guarded.edit("team.yaml", "zone: us-central1-a", "zone: us-central1-c")
    forbidden = guarded.review()
    assert forbidden["verdict"]["exit_code"] == 5
    names = {finding["help"].rpartition(" ")[2] for finding in forbidden["policy"]["findings"]}
    labels = [f"--label=clusterprint-allow-{name}" for name in names]
    allowed = guarded.review(*labels, "--label=urgent")
    assert allowed["verdict"]["exit_code"] == 4
    assert set(allowed["policy"]["allowed"]) == names
    assert not [note for note in allowed["notes"] if "label" in note]

    mistyped = guarded.review(
        "--label=clusterprint-allow-pool-replaced", "--label=clusterprint-allow-everything"
    )
    assert mistyped["verdict"]["exit_code"] == 5
    assert mistyped["policy"]["allowed"] == []
    first, second = (note for note in mistyped["notes"] if "label" in note)
    assert "no policy knows 'pool-replaced'; did you mean clusterprint-allow-pool_replaced?" in first
    assert "clusterprint-allow-everything allows nothing" in second

    other = guarded.review(*(f"--label=ok/{name}" for name in names), "--label-prefix=ok/")
    assert other["verdict"]["exit_code"] == 4


EXPECTS = "policy: v1\nforbid: [replacement]\nlimits: {cost_per_hour: 0}\nexpect: {labels: [cost-center]}\n"


def test_a_comment_names_what_its_readers_can_do(guarded: Repository) -> None:
    """They can set a label of the pull request, and give no option."""
    put(guarded, EXPECTS)
    guarded.commit()
    guarded.git("branch", "--force", "main", "change")
    guarded.edit("team.yaml", "zone: us-central1-a\n", "zone: us-central1-c\n")
    guarded.edit("team.yaml", "count: 2", "count: 3")
    names = ("pool_replaced", "cost_per_hour", "expect.labels")
    markdown = ("--base", "main", "--format=markdown", "--label-prefix=ok/")
    first = guarded.run(*markdown).stdout
    assert all(f"label `ok/{name}`" in first for name in names)
    assert "--allow" not in first
    labelled = guarded.run(
        *markdown, *(f"--label=ok/{name}" for name in names[1:]), "--allow=pool_replaced"
    ).stdout
    assert "allowed by label `ok/cost_per_hour` (" in labelled
    assert "allowed by label `ok/expect.labels` (" in labelled
    assert "allowed by `--allow pool_replaced` (" in labelled
    plain = guarded.run("--base", "main", "--format=markdown").stdout
    assert all(f"`--allow {name}`" in plain for name in names)


@pytest.mark.parametrize("option", ["--base", "--head"])
@pytest.mark.parametrize("value", ["", " "])
def test_an_empty_side_is_wrong_usage(guarded: Repository, option: str, value: str) -> None:
    """A script that has lost its value would otherwise compare the folder with itself."""
    guarded.edit("team.yaml", "count: 2", "count: 1")
    base = () if option == "--base" else ("--base", "main")
    done = guarded.run(*base, f"{option}={value}")
    assert done.returncode == 2
    assert f"'{option}': it is empty" in done.stderr
    assert "give a git revision such as main, or a folder" in done.stderr


def test_the_policy_of_the_base_cannot_be_turned_into_another_file(guarded: Repository) -> None:
    """A link in its place, in the change, does not lead away from what was there before."""
    (guarded.folder / "mild.yaml").write_text("policy: v1\n")
    (guarded.folder / "clusterprint.policy.yaml").unlink()
    (guarded.folder / "clusterprint.policy.yaml").symlink_to("mild.yaml")
    guarded.edit("team.yaml", "zone: us-central1-a", "zone: us-central1-c")
    report = guarded.review()
    # The link is a problem of its own; what the base forbids is forbidden all the same.
    assert report["verdict"]["exit_code"] == 1
    assert any("link" in each["message"] for each in report["problems"])
    assert [each["rule"] for each in report["policy"]["findings"]] == ["replacement"]


def test_a_policy_is_no_blueprint(guarded: Repository) -> None:
    (guarded.folder / "blueprints" / "clusterprint.policy.yaml").write_text(POLICY)
    report = guarded.review()
    assert report["verdict"]["exit_code"] == 0
    assert "adds blueprints/clusterprint.policy.yaml" in report["policy"]["changed"][0]


def test_a_cost_that_nobody_can_compare_is_not_known(repository: Repository) -> None:
    put(repository, "policy: v1\nlimits: {unknown_cost: forbid}\n")
    repository.write("team.yaml", "nodes: [\n")
    repository.commit()
    repository.git("branch", "--force", "main", "change")
    repository.write("team.yaml", TEAM)
    report = repository.review()
    assert report["verdict"]["exit_code"] == 5
    assert report["verdict"]["line"].startswith("no resource changes, 1 cluster not compared, forbidden")
    assert [each["rule"] for each in report["policy"]["findings"]] == ["limits.unknown_cost"]
    assert (report["cost"]["per_hour"], report["cost"]["not_compared"]) == (None, ["team"])
