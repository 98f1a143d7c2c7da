"""A review says which clusters signed evidence is about, and what changed since."""

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support import BLUEPRINTS, Run

from clusterprint.examine import examine
from clusterprint.proof import envelope
from clusterprint.proof.checksums import subjects
from clusterprint.proof.types import STEPS, Cost, Digest, Evidence, Statement, Step, Subject, Versions

pytestmark = [pytest.mark.slow, pytest.mark.process]

NOW = datetime.now(UTC).replace(microsecond=0)
FILE = "blueprints/first.yaml"
Prove = Callable[..., None]


def evidence(**changed: Any) -> Evidence:
    steps = tuple(
        Step(name=name, result="not_run" if name in ("conformance", "benchmark") else "passed")
        for name in STEPS
    )
    versions = Versions(
        clusterprint="0.1.0", program="Terraform", program_version="1.11.4", providers={"google": "7.45.0"}
    )
    whole = {
        "version": 1, "trial": "blueprint", "kind": "vm", "world": "real", "result": "passed",
        "began": NOW - timedelta(days=40), "ended": NOW - timedelta(days=39), "versions": versions,
        "applied": {"main": "0" * 64}, "steps": steps, "cost": Cost(usd_at_most=1, usd_estimated=0.1),
    }  # fmt: skip
    return Evidence(**{**whole, **changed})


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two blueprints and a trusted key, and another key that nobody trusts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "blueprints").mkdir()
    text = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")
    (tmp_path / FILE).write_text(text)
    (tmp_path / "blueprints/second.yaml").write_text(text.replace("name: first", "name: second"))
    (tmp_path / "evidence/keys").mkdir(parents=True)
    for each in ("trusted", "foreign"):
        envelope.make_key(tmp_path / f"{each}.key")
    (tmp_path / "trusted.key.pub").rename(tmp_path / "evidence/keys/trusted.pub")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.com")
    for words in (("init", "--quiet"), ("add", "."), ("commit", "--quiet", "--message=a")):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    return tmp_path


@pytest.fixture
def prove(repository: Path) -> Prove:
    def write(name: str = "first", by: str = "trusted", called: str = FILE, **changed: Any) -> None:
        found = subjects(examine([Path(FILE)]), called)
        subject = tuple(Subject(name=each, digest=Digest(sha256=value)) for each, value in found.items())
        statement = Statement(subject=subject, predicate=evidence(**changed))
        key = envelope.private_key(repository / f"{by}.key") if by else None
        (repository / f"evidence/{name}.dsse.json").write_bytes(envelope.sealed(statement, key))

    return write


@pytest.fixture
def reviewed(repository: Path, clusterprint: Run) -> Callable[..., Any]:
    def review(*more: str) -> Any:
        done = clusterprint("review", "--base", "HEAD", "--format", "json", *more, cwd=repository)
        assert done.returncode in (0, 4), done.stderr
        return json.loads(done.stdout)

    return review


def test_a_cluster_is_proven_until_a_stack_changes(
    repository: Path, prove: Prove, reviewed: Callable[..., Any], clusterprint: Run
) -> None:
    assert reviewed()["proofs"] == []
    prove()
    first, second = reviewed()["proofs"]
    assert second == {"cluster": "second", "evidence": "", "day": "", "key": "", "proven": [], "changed": []}
    assert (first["evidence"], first["proven"], first["changed"]) == (
        "evidence/first.dsse.json",
        ["main"],
        [],
    )
    said = f"evidence/first.dsse.json ({NOW - timedelta(days=39):%Y-%m-%d}, key {first['key']})"
    for form, texts in (
        ("text", [f"first: proven by {said}", "second: no evidence that it was created in a real cloud"]),
        ("markdown", ["### Proof", "proven by"]),
        ("html", ["proven by evidence/first.dsse.json"]),
    ):
        shown = clusterprint("review", "--base", "HEAD", "--format", form, cwd=repository).stdout
        assert [each for each in texts if each not in shown.replace("\\", "")] == [], shown
    with (repository / FILE).open("a") as file:
        file.write("labels: {team: ml}\n")
    first, _ = reviewed()["proofs"]
    assert (first["proven"], first["changed"]) == ([], ["main"])
    shown = clusterprint("review", "--base", "HEAD", cwd=repository).stdout
    assert f"first: main changed since {said}" in shown


def test_the_evidence_that_fits_counts_and_not_the_newest(
    prove: Prove, reviewed: Callable[..., Any], repository: Path
) -> None:
    prove("old", ended=NOW - timedelta(days=20))
    prove("new", ended=NOW - timedelta(days=10))
    assert reviewed()["proofs"][0]["evidence"] == "evidence/new.dsse.json"
    with (repository / FILE).open("a") as file:
        file.write("labels: {team: ml}\n")
    prove("changed", ended=NOW - timedelta(days=30))
    assert reviewed()["proofs"][0]["evidence"] == "evidence/changed.dsse.json"


def test_evidence_for_a_public_place_is_found_by_the_stacks(
    prove: Prove, reviewed: Callable[..., Any], repository: Path
) -> None:
    prove(called="public")
    first, second = reviewed()["proofs"]
    assert (first["evidence"], first["proven"]) == ("evidence/first.dsse.json", ["main"])
    assert second["evidence"] == ""
    with (repository / FILE).open("a") as file:
        file.write("labels: {team: ml}\n")
    assert reviewed()["proofs"][0]["evidence"] == ""


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"by": ""}, "it is not signed"),
        ({"by": "foreign"}, "which is not trusted"),
        ({"world": "simulated"}, "it is from the simulated cloud"),
        (
            {"result": "failed", "steps": (Step(name="up", result="failed"),)},
            "it is of a failure",
        ),
        ({"applied": {"other": "0" * 64}}, "the stacks that were applied"),
    ],
    ids=["unsigned", "foreign", "simulated", "failed", "contradictory"],
)
def test_other_evidence_does_not_count(
    how: dict[str, Any], said: str, prove: Prove, reviewed: Callable[..., Any]
) -> None:
    prove(**how)
    report = reviewed()
    assert [each["evidence"] for each in report["proofs"]] == ["", ""]
    assert any(
        each.startswith("evidence/first.dsse.json does not count: ") and said in each
        for each in report["notes"]
    ), report["notes"]


def test_a_change_does_not_bring_the_key_that_judges_it(
    repository: Path, prove: Prove, reviewed: Callable[..., Any]
) -> None:
    prove(by="foreign")
    (repository / "foreign.key.pub").rename(repository / "evidence/keys/foreign.pub")
    report = reviewed()
    assert report["proofs"][0]["evidence"] == ""
    assert any("which is not trusted" in each for each in report["notes"])


def test_what_is_no_evidence_fails_no_review(repository: Path, reviewed: Callable[..., Any]) -> None:
    (repository / "evidence/broken.dsse.json").write_text("{")
    assert any("evidence/broken.dsse.json does not count" in each for each in reviewed()["notes"])
    report = reviewed("--head", "HEAD")
    assert report["proofs"] == []
    assert "evidence/ is compared with the work tree only: leave --head out" in report["notes"]


def test_links_are_not_followed(repository: Path, prove: Prove, reviewed: Callable[..., Any]) -> None:
    prove()
    (repository / "evidence/first.dsse.json").rename(repository / "elsewhere")
    (repository / "evidence/first.dsse.json").symlink_to("../elsewhere")
    report = reviewed()
    assert report["proofs"][0]["evidence"] == ""
    assert "evidence/first.dsse.json does not count: it is a link" in report["notes"]
    (repository / "evidence").rename(repository / "others")
    (repository / "evidence").symlink_to("/")
    report = reviewed()
    assert (report["proofs"], "evidence/ is not compared: it is a link" in report["notes"]) == ([], True)
