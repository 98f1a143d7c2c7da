"""`status --why` and `status --conform` as commands: words, JSON and exit codes."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from stand_ins import Answer, StandIns

from clusterprint.exit_codes import Code

pytestmark = pytest.mark.process

GKE = "blueprints/gke-a3-mega-teams.yaml"
GONE = 'error: the server doesn\'t have a resource type "x"'
WAITING = {"name": "main", "state": {"waiting": {"reason": "ImagePullBackOff", "message": "\x1b[2J404"}}}
POD = {
    "kind": "Pod",
    "metadata": {"name": "p", "namespace": "ml", "uid": "u"},
    "spec": {"nodeName": "n"},
    "status": {"phase": "Pending", "containerStatuses": [WAITING]},
}

Clusterprint = Callable[..., CompletedProcess[str]]


@pytest.fixture
def path(tmp_path: Path) -> dict[str, str]:
    answers = [Answer("get pods", {"items": [POD]}), Answer("get ", err=GONE, code=1)]
    version = Answer("version", {"serverVersion": {"gitVersion": "v1.34.1"}})
    return StandIns(tmp_path / "bin", kubectl=[*answers, version]).first


def test_why_prints_cause_evidence_and_way_out_without_what_acts_on_a_terminal(
    clusterprint: Clusterprint, path: dict[str, str]
) -> None:
    done = clusterprint("status", GKE, "--why", "--detailed-exitcode", env=path)
    assert "Pod ml/p: the image cannot be pulled" in done.stdout
    assert "evidence: Pod ml/p: ImagePullBackOff:" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.returncode == Code.CHANGES


def test_the_job_may_be_left_out_before_another_option(
    clusterprint: Clusterprint, path: dict[str, str]
) -> None:
    done = clusterprint("status", GKE, "--why", "--format", "json", env=path)
    (cluster,) = json.loads(done.stdout)["clusters"]
    assert [each["cause"] for each in cluster["waiting"]] == ["image cannot be pulled"]
    assert done.returncode == Code.DONE


def test_a_cluster_that_differs_ends_with_4(clusterprint: Clusterprint, path: dict[str, str]) -> None:
    differs = clusterprint("status", GKE, "--conform", env=path)
    assert "nodes: pool h100 has 0 of 16 nodes" in differs.stdout
    assert differs.returncode == Code.CHANGES


@pytest.mark.slow
@pytest.mark.terraform
def test_a_cluster_that_is_not_there_ends_with_3(
    clusterprint: Clusterprint, path: dict[str, str], tmp_path: Path
) -> None:
    for option in ("--why", "--conform"):
        unread = clusterprint("status", GKE, option, "--simulate", str(tmp_path / "sim"), env=path)
        assert "this simulated cloud has no such cluster" in unread.stdout
        assert unread.returncode == Code.FAILED


@pytest.mark.parametrize(
    "words", [("blueprints/vm-smallest.yaml", "--why"), ("--why", "job"), (GKE, "--why", "--conform")]
)
def test_what_has_no_pods_or_no_name_is_refused(clusterprint: Clusterprint, words: tuple[str, ...]) -> None:
    assert clusterprint("status", *words).returncode == Code.WRONG_USAGE


def test_a_job_that_is_nowhere_is_a_usage_error(clusterprint: Clusterprint, path: dict[str, str]) -> None:
    done = clusterprint("status", GKE, "--why", "nightly", env=path)
    assert "neither the cluster nor the blueprint has a job 'nightly'" in done.stdout
    assert done.returncode == Code.WRONG_USAGE
    assert clusterprint("status", GKE, "--why", "ml/p", env=path).returncode == Code.DONE


def test_what_cannot_be_read_does_not_end_the_comparison(clusterprint: Clusterprint, tmp_path: Path) -> None:
    version = Answer("version", {"serverVersion": {"gitVersion": "v1.34.1"}})
    forbidden = Answer("get deployments", err="Error from server (Forbidden): no", code=1)
    rest = Answer("get ", {"items": []})
    kubectl = StandIns(tmp_path / "bin", kubectl=[forbidden, version, rest])
    done = clusterprint("status", GKE, "--conform", env=kubectl.first)
    assert "nodes: pool h100 has 0 of 16 nodes" in done.stdout
    assert "not known: deployments: kubectl: Error from server (Forbidden): no" in done.stdout
    assert "components:" not in done.stdout
    assert done.returncode == Code.CHANGES
