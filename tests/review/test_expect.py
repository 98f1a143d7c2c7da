"""Expectations of policies: each breach at its line of the blueprint."""

import json
from pathlib import Path

import pytest
from support import Run

from clusterprint.derived.machines import Machines
from clusterprint.load import load_text
from clusterprint.review.policy.expect import Standing, expectations
from clusterprint.review.policy.read import read_text

BLUEPRINT = """\
clusterprint: v1
kind: vm
name: team
project: my-gpu-project
region: us-central1
zone: us-central1-a
labels: {team: ml}
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: a2-highgpu-8g, count: 2}
"""
POOLS = """\
clusterprint: v1
kind: gke
name: pools
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
node_pools:
  - {name: flex, machine_type: g2-standard-8, capacity: {model: flex_start}}
  - {name: short, machine_type: g2-standard-8, capacity: {model: spot, max_run_duration: 1d}}
  - {name: ever, machine_type: g2-standard-8}
"""


def found(expect: str, blueprint: str = BLUEPRINT, *allowed: str) -> list[tuple[str, str, int]]:
    """The breaches of one policy: rule, message, line of the blueprint."""
    read = read_text(f"policy: v1\nexpect: {{{expect}}}\n".encode(), "clusterprint.policy.yaml")
    assert read.diagnostics == ()
    document = load_text(blueprint.encode(), "team.yaml", Path()).document
    assert document
    machines = [
        Machines("a.b", "b", "a2-highgpu-8g", "on_demand", 2, 2, region="us-central1"),
        Machines("a.c", "c", "e2-standard-4", "on_demand", 1, 1, region="us-central1"),
    ]
    breaches = list(expectations(read, [Standing("team", document, machines)], allowed))
    assert {(each.file, each.line) for each in breaches} <= {("clusterprint.policy.yaml", 2)}
    return [
        (each.rule, each.message.removeprefix("team: "), each.place.line) for each in breaches if each.place
    ]


@pytest.mark.parametrize(
    ("expect", "breach"),
    [
        ("labels: [team, owner]", ("expect.labels", "labels have no owner", 7)),
        ("regions: [us-east4]", ("expect.regions", "us-central1 is not one of the regions", 5)),
        ("machine_families: [a3-ultra, g2]", ("expect.machine_families", "a2-highgpu-8g is in none", 9)),
        ("gpus: 15", ("expect.gpus", "16 GPUs, and the policy expects at most 15", 9)),
        ("nodes: 2", ("expect.nodes", "3 nodes, and the policy expects at most 2", 9)),
        ("cost_per_hour: 10", ("expect.cost_per_hour", "US dollars per hour, and the policy expects", 9)),
        ("cost_per_month: 5e3", ("expect.cost_per_month", "US dollars per month", 9)),
        ("lifetime: 7d", ("expect.lifetime", "has no end, and the policy expects 7d at most", 3)),
    ],
)  # fmt: skip
def test_what_is_not_as_expected(expect: str, breach: tuple[str, str, int]) -> None:
    ((rule, message, line),) = found(expect)
    assert (rule, line) == (breach[0], breach[2])
    assert breach[1] in message


@pytest.mark.parametrize(
    "expect",
    [
        "labels: [team]",
        "regions: [us-central1, europe-west4]",
        # the system's own machines are nobody's choice
        "machine_families: [a2]",
        "machine_families: [a2-highgpu]",
        "gpus: 16, nodes: 3, tpu_chips: 0, cost_per_hour: 1000, cost_per_month: 1e6",
    ],
)
def test_what_is_as_expected(expect: str) -> None:
    assert found(expect) == []


def test_how_long_a_cluster_lives() -> None:
    assert found("lifetime: 7d", BLUEPRINT + "time_to_live: 168h\n") == []
    late = BLUEPRINT + "time_to_live: 8d\n"
    assert found("lifetime: 7d", late) == [
        ("expect.lifetime", "lives for 8d, and the policy expects 7d at most", 10)
    ]
    rows = found("lifetime: 2d", POOLS)
    assert [(message.partition(",")[0], line) for _, message, line in rows] == [
        ("nodes of pool flex live for 7d", 9),
        ("nodes of pool ever have no end", 11),
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with two teams, of which one has a stricter policy."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "clusterprint.policy.yaml").write_text("policy: v1\nexpect: {gpus: 8}\n")
    for team in ("strict", "other"):
        (tmp_path / team).mkdir()
        text = BLUEPRINT.replace("name: team", f"name: {team}").replace("count: 2", "count: 1")
        (tmp_path / team / "team.yaml").write_text(text)
    strict = "policy: v1\nforbid: []\nexpect:\n  labels: [cost-center]\n"
    (tmp_path / "strict" / "clusterprint.policy.yaml").write_text(strict)
    return tmp_path


def test_policies_of_folders_are_tested_as_they_lie_here(clusterprint: Run, folder: Path) -> None:
    done = clusterprint("policy", "test", ".", cwd=folder)
    assert done.returncode == 5, done.stderr
    first, second, last = done.stdout.splitlines()
    assert first == "strict/team.yaml:7:1: strict: labels have no cost-center"
    assert second.startswith("    strict/clusterprint.policy.yaml:4 expect.labels: add labels: {cost-center")
    files = "clusterprint.policy.yaml, strict/clusterprint.policy.yaml"
    assert last == f"2 clusters tested by {files}: 1 expectation not met"
    good = clusterprint("policy", "test", "other", "--format", "json", cwd=folder)
    assert (good.returncode, json.loads(good.stdout)["findings"]) == (0, [])


def test_a_policy_with_mistakes_tests_nothing(clusterprint: Run, folder: Path) -> None:
    (folder / "clusterprint.policy.yaml").write_text("policy: v1\nexpect: {gpu: 8}\n")
    done = clusterprint("policy", "test", "other", cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert "unknown key 'gpu'" in done.stderr


def test_a_review_forbids_what_is_not_as_expected(clusterprint: Run, folder: Path) -> None:
    (folder / "new").mkdir()
    policy = folder / "clusterprint.policy.yaml"
    text = BLUEPRINT.replace("name: team", "name: third")
    (folder / "new" / "third.yaml").write_text(text)
    (folder / "old").mkdir()
    (folder / "old" / "third.yaml").write_text(text.replace("count: 2", "count: 1"))
    options = ("review", "--base", "./old", "--head", "./new", "--policy", policy)
    done = clusterprint(*options, "--format", "json", cwd=folder)
    assert done.returncode == 5, done.stderr
    (finding,) = json.loads(done.stdout)["policy"]["findings"]
    assert (finding["rule"], finding["line"]) == ("expect.gpus", 2)
    assert (finding["place"]["file"], finding["place"]["line"]) == ("third.yaml", 9)
    lifted = clusterprint(*options, "--allow", "expect.gpus", cwd=folder)
    assert lifted.returncode == 4
    assert "third: 16 GPUs, and the policy expects at most 8 [third.yaml:9 nodes]" in lifted.stdout
