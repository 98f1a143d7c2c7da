"""`clusterprint prove` in a simulated cloud: whatever comes, nothing is left, and the evidence says it."""

import gzip
import io
import json
import re
import signal
import tarfile
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from lives import VM, Life, until
from support import ROOT, Run

from clusterprint.errors import UsageError
from clusterprint.exit_codes import Code
from clusterprint.proof import bundle, envelope
from clusterprint.proof.trials import TRIALS, by_cost, chosen
from clusterprint.proof.types import Evidence
from clusterprint_simcloud import Fault

SMALLEST = ("prove", "--only", "vm-smallest", "--yes")


def evidence(folder: Path) -> Evidence:
    (file,) = folder.glob(f"*{envelope.ENDING}")
    found = envelope.read(file).statement.predicate
    file.unlink()
    return found


def results(found: Evidence) -> dict[str, str]:
    return {each.name: each.result for each in found.steps}


# ---- whole trials


@pytest.mark.terraform
@pytest.mark.slow
def test_a_blueprint_of_ones_own_is_proven_and_signed(life: Life, clusterprint: Run, tmp_path: Path) -> None:
    out = tmp_path / "evidence"
    clusterprint("evidence", "key", "--out", tmp_path / "my.key")
    said = life.run("prove", VM, "--yes", "--out", out, "--key", tmp_path / "my.key", "--public")
    assert "taken out of the texts" in said
    assert life.made() == []
    assert not (life.folder / "proof/first").exists()
    words = ("evidence", "verify", out, "--trust", tmp_path / "my.key.pub")
    assert "is not in this folder" in clusterprint(*words).stdout, "its path is not public"
    done = clusterprint(*words, "--no-checkout")
    assert (done.returncode, "valid, signed by key" in done.stdout) == (0, True)
    found = evidence(out)
    assert found.world == "simulated"
    assert found.steps[0].changes["google_compute_network"] == {"create": 1}
    assert set(results(found).values()) == {"passed", "not_run"}
    text = msgspec.json.encode(found).decode()
    assert "my-gpu-project" not in text
    assert "first" not in text


@pytest.mark.terraform
@pytest.mark.slow
def test_a_cluster_that_exists_is_left_alone(life: Life, tmp_path: Path) -> None:
    life.run("up", VM, "--yes")
    before = life.made()
    said = life.run("prove", VM, "--yes", "--out", tmp_path / "evidence", expect=Code.WRONG_USAGE)
    assert "exists already" in said
    assert life.made() == before
    life.run("status", VM, "--detailed-exitcode")


@pytest.mark.terraform
@pytest.mark.slow
@pytest.mark.parametrize("name", ["vm-smallest", "gke-workloads"])
def test_a_trial_is_proven_for_this_checkout(
    name: str, life: Life, clusterprint: Run, tmp_path: Path
) -> None:
    life.run("prove", "--only", name, "--yes", "--out", tmp_path)
    assert life.made() == []
    done = clusterprint("evidence", "verify", tmp_path, "--allow-unsigned", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    found = evidence(tmp_path)
    assert (found.trial, found.result) == (name, "passed")
    assert results(found)["change"] == results(found)["third_plan"] == "passed"
    changed = {kind for step in found.steps for kind in step.changes}
    assert {kind for kind in changed if not kind.startswith("terraform_")} <= set(found.answers)


@pytest.mark.terraform
@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "failed"),
    [
        (Fault("create", "google_compute_router", error="quota of me@example.com is 0"), "up"),
        (
            Fault("create", "google_compute_per_instance_config", match="proof-vm-1", error="no update"),
            "change",
        ),
        (Fault("delete", "google_compute_router", error="not now"), "down"),
    ],
)
def test_a_failed_step_is_evidence_of_a_failure(
    fault: Fault, failed: str, life: Life, tmp_path: Path
) -> None:
    life.faults(fault)
    said = life.run(*SMALLEST, "--out", tmp_path, expect=Code.FAILED)
    found = evidence(tmp_path)
    assert found.result == "failed"
    assert results(found)[failed] == "failed"
    assert "me@example.com" not in str(found)
    if failed != "down":
        assert life.made() == []
        return
    assert "google_compute_router" in found.left
    assert "prove --clean-up" in said
    life.run(*SMALLEST, "--out", tmp_path, expect=Code.FAILED)  # an earlier one has left something
    life.run("prove", "--clean-up", expect=Code.REFUSED)
    assert life.made()
    life.run("prove", "--clean-up", "--yes")
    assert life.made() == []
    assert "nothing to do" in life.run("prove", "--clean-up")


@pytest.mark.terraform
@pytest.mark.slow
def test_signals_and_kills_leave_nothing(life: Life, tmp_path: Path) -> None:
    life.faults(Fault("create", "google_compute_network", delay=3))
    process = life.start(*SMALLEST, "--out", tmp_path)
    until(lambda: "google_compute_network.primary: Creating" in said_by(life))
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=120)
    assert process.returncode == Code.TERMINATED, err
    assert life.made() == []
    assert evidence(tmp_path).result == "failed"

    for log in life.folder.glob("stacks/*/*.log"):
        log.unlink()
    life.faults(Fault("create", "google_compute_network", delay=3))
    process = life.start(*SMALLEST, "--out", tmp_path)
    until(lambda: "google_compute_network.primary: Creating" in said_by(life))
    process.kill()
    process.communicate(timeout=120)
    until(lambda: bool(life.made()))
    time.sleep(1)
    life.run("prove", "--clean-up", "--yes")
    assert life.made() == []


def said_by(life: Life) -> str:
    return "".join(each.read_text() for each in life.folder.glob("stacks/*/*.log"))


# ---- what is asked


def test_the_cheapest_trials_that_fit_are_chosen() -> None:
    costs: dict[str, float | None] = dict.fromkeys(TRIALS, 2.0)
    costs |= {"vm-smallest": 0.1, "vm-files": 0.2, "vm-disk-pool": None}
    assert by_cost(costs)[:2] == ["vm-smallest", "vm-files"]
    assert by_cost(costs)[-1] == "vm-disk-pool"
    taken, left = chosen(costs, 0.25, None)
    assert taken == ["vm-smallest"]
    assert "vm-files" in left
    assert chosen(costs, 0.31, None)[0] == ["vm-smallest", "vm-files"]
    minutes = TRIALS["vm-smallest"].minutes
    assert chosen(costs, None, minutes)[0] == ["vm-smallest"]
    assert "vm-disk-pool" not in chosen(costs, 1000, None)[0], "an unknown cost fits into no budget"


@pytest.mark.slow
def test_the_list_says_what_each_trial_costs_and_needs(clusterprint: Run) -> None:
    done = clusterprint("prove", "--list", "--format", "json")
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)["trials"]
    assert {each["name"] for each in rows} == {*TRIALS}
    costs = [each["usd_at_most"] for each in rows if not each["without_price"]]
    assert costs == sorted(costs)
    assert costs[0] > 0
    assert all(each["quota"] and each["permissions"] and each["creates"] and each["sources"] for each in rows)
    cheap = clusterprint("prove", "--list", "--budget", "1", "--time", "1h")
    assert "vm-smallest" in cheap.stdout
    assert "vm-h4d" not in cheap.stdout
    assert "left out, as they do not fit" in cheap.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--project and --bucket name the project"),
        (("--only", "vm-smalest", "--list"), "did you mean vm-smallest?"),
        (("--with-names", "--public", "--list"), "give one of the two"),
        (("--clean-up", "--list"), "--clean-up destroys"),
        ((str(VM), "--budget", "1"), "leave out CLUSTER"),
        (("--project", "My Project"), "is not the id of a project"),
        (("--project", "my-project", "--zone", "there"), "is not a zone"),
        (("--bucket", "gs://states"), "is not the name of a bucket"),
        (("--time", "soon"), "is not a duration"),
        (("--budget", "-1"), "-1"),
        (("--format", "json", "--project", "my-project"), "--format json is for --list"),
        (("--project", "my-project", "--bucket", "states", "--budget", "0"), "no trial fits"),
        (("--only", "vm-smallest", "--simulate", "sim", "--key", "none.key"), "cannot read none.key"),
    ],
)
def test_what_cannot_work_is_wrong_usage(words: tuple[str, ...], said: str, clusterprint: Run) -> None:
    done = clusterprint("prove", *words)
    assert done.returncode == Code.WRONG_USAGE, done.stderr
    assert said in " ".join(done.stderr.split())


def test_nothing_is_created_without_consent(clusterprint: Run, tmp_path: Path) -> None:
    done = clusterprint("prove", VM, "--simulate", tmp_path / "sim", "--out", tmp_path / "evidence")
    assert done.returncode == Code.REFUSED
    assert "USD at most" in done.stderr
    assert not (tmp_path / "evidence").exists()


def test_pages_name_each_trial_that_is_proven_or_not() -> None:
    page = (ROOT / "docs/unproven.md").read_text("utf-8")
    named = set(re.findall(r"^\| `([a-z0-9-]+)` \|", page, re.MULTILINE))
    files = [*(ROOT / "evidence").rglob(f"*{envelope.ENDING}")]
    found = [envelope.read(each).statement.predicate for each in files]
    proven = {each.trial for each in found if each.world == "real" and each.result == "passed"}
    assert named == {*TRIALS} - proven
    table = (ROOT / "docs/tasks/prove-it.md").read_text("utf-8").partition("| trial | when | by key |")[2]
    assert set(re.findall(r"^\| ([a-z0-9-]+) \|", table, re.MULTILINE)) == proven


# ---- bundles


def texts_in(file: Path, folder: str) -> list[str]:
    with tarfile.open(file) as tar:
        return [
            (tar.extractfile(each) or file.open("rb")).read().decode()
            for each in tar
            if each.name.startswith(folder)
        ]


@pytest.mark.terraform
@pytest.mark.slow
def test_a_fault_is_bundled_and_replayed(life: Life, clusterprint: Run, tmp_path: Path) -> None:
    life.faults(Fault("create", "google_compute_router", error="quota of me@example.com is 0"))
    life.run("up", VM, "--yes", expect=Code.FAILED)
    file = tmp_path / "one.tar.gz"
    said = life.run("bundle", VM, "--out", file, expect=Code.REFUSED)
    assert "blueprint.yaml" in said
    assert not file.exists()
    # The log of the failed run is gone once another has begun.
    life.run("up", VM, "--yes", "--log-dir", tmp_path / "logs")
    life.run("bundle", VM, "--out", tmp_path / "running.tar.gz", "--yes", "--running")
    (log,) = texts_in(tmp_path / "running.tar.gz", "running/")
    assert log.startswith("$ gcloud compute ssh [name]-0 ")
    assert "simulated: every step is done" in log
    life.faults(Fault("delete", "google_compute_router", error="quota of me@example.com is 0"))
    life.run("down", VM, "--yes", "--log-dir", tmp_path / "logs", expect=Code.FAILED)
    life.run("bundle", VM, "--out", file, "--yes", "--log-dir", tmp_path / "logs")
    with tarfile.open(file) as tar:
        texts = {each.name: (tar.extractfile(each) or file.open("rb")).read().decode() for each in tar}
    assert {"versions.json", "faults.json", "logs/main.txt", "stacks/main.json", "states/main.json"} <= {
        *texts
    }
    for name, text in texts.items():
        assert "me@example.com" not in text, name
        assert "first" not in text, name
        assert name == "blueprint.yaml" or "my-gpu-project" not in text, name
    done = clusterprint("prove", "--replay", file, "--simulate", tmp_path / "again")
    assert "delete google_compute_router: appeared" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0
    assert clusterprint("prove", "--replay", file).returncode == Code.WRONG_USAGE


def test_what_is_no_bundle_is_wrong_usage(clusterprint: Run, tmp_path: Path) -> None:
    good = {"blueprint.yaml": "a: 1\n", "faults.json": "[]"}
    fault = {"operation": "plan", "type": "google_compute_router", "error": ""}
    contents = {
        "nothing": b"",
        "no-tar": gzip.compress(b"x" * 2000),
        "bomb": gzip.compress(bytes(40 << 20)),
        "no-faults": bundle.packed({"blueprint.yaml": ""}),
        "other-names": bundle.packed({**good, "../../evil.json": ""}),
        "deep": bundle.packed({**good, "faults.json": "[" * 100_000}),
        "another-operation": bundle.packed({**good, "faults.json": json.dumps([fault])}),
        "another-type": bundle.packed(
            {**good, "faults.json": json.dumps([{**fault, "operation": "create", "type": ".*"}])}
        ),
        "half": bundle.packed(good)[:50],
    }
    for name, content in contents.items():
        file = tmp_path / name
        file.write_bytes(content)
        with pytest.raises(UsageError):
            bundle.read_bundle(file)
    assert bundle.packed(good) == bundle.packed(dict(reversed(good.items())))
    linked = io.BytesIO()
    with tarfile.open(fileobj=linked, mode="w:gz") as tar:
        entry = tarfile.TarInfo("blueprint.yaml")
        entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(entry)
    (tmp_path / "linked").write_bytes(linked.getvalue())
    done = clusterprint("prove", "--replay", tmp_path / "linked", "--simulate", tmp_path / "sim")
    assert (done.returncode, "is no bundle" in done.stderr) == (Code.WRONG_USAGE, True)
