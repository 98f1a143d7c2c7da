"""What a policy allows: the file itself, its judgement, and which version of it counts."""

import pytest
from review.conftest import Repository

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
    assert report["policy"] == {"file": "clusterprint.policy.yaml", "findings": [], "allowed": []}


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
    guarded.edit("team.yaml", "storage:\n  buckets:\n    - {name: team-checkpoints, create: true}\n", "")
    report = guarded.review()
    assert report["verdict"]["level"] == "forbidden"
    assert "forbidden by policy: data_loss" in report["verdict"]["line"]


def test_a_change_cannot_bring_its_own_policy(guarded: Repository) -> None:
    guarded.edit("team.yaml", "count: 2", "count: 4")
    put(guarded, "policy: v1\n")
    report = guarded.review()
    assert report["verdict"]["exit_code"] == 5
    assert any("judged by the earlier version" in note for note in report["notes"])


def test_a_new_policy_counts_at_once(repository: Repository) -> None:
    put(repository, POLICY)
    repository.edit("team.yaml", "count: 2", "count: 4")
    assert repository.review()["verdict"]["exit_code"] == 5


def test_a_policy_can_be_named(repository: Repository) -> None:
    (repository.folder / "strict.yaml").write_text("policy: v1\nforbid: [nodes_removed]\n")
    repository.edit("team.yaml", "count: 2", "count: 1")
    assert repository.review()["verdict"]["exit_code"] == 4
    assert repository.review("--policy", "strict.yaml")["verdict"]["exit_code"] == 5
    assert repository.run("--base", "main", "--policy", "nowhere.yaml").returncode == 2


@pytest.mark.parametrize(
    ("text", "line", "message", "way_out"),
    [
        ("policy: v1\nforbidd: [data_loss]\n", 2, "unknown key 'forbidd'", "did you mean 'forbid'?"),
        ("policy: v1\nforbid: [data_los]\n", 2, "forbid[0] is 'data_los'", "did you mean 'data_loss'?"),
        ("policy: v1\nlimits: {gpus: many}\n", 2, "limits.gpus must be a whole number", ""),
        ("policy: v2\n", 1, "policy is 'v2', but must be 'v1'", ""),
        ("forbid: [data_loss]\n", 1, "the policy has no 'policy'", "add it"),
        ("- policy\n", 1, "a policy is made of `key: value` lines", "start with `policy: v1`"),
    ],
)  # fmt: skip
def test_mistakes_in_a_policy(
    repository: Repository, text: str, line: int, message: str, way_out: str
) -> None:
    put(repository, text)
    report = repository.review()
    assert report["verdict"]["exit_code"] == 1
    (problem,) = report["problems"]
    assert (problem["file"], problem["line"]) == ("clusterprint.policy.yaml", line)
    assert message in problem["message"]
    assert "blueprint" not in problem["message"]
    assert way_out in problem["help"]


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
    assert guarded.review()["verdict"]["exit_code"] == 5


def test_a_policy_is_no_blueprint(guarded: Repository) -> None:
    (guarded.folder / "blueprints" / "clusterprint.policy.yaml").write_text(POLICY)
    assert guarded.review()["verdict"]["exit_code"] == 0
