"""Whole lives of clusters in a simulated cloud: `up`, `outputs` and `down`, and what can go wrong."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import pytest
from lives import VM, Life, until, working_in

from clusterprint.exit_codes import Code
from clusterprint_simcloud import Fault
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.cloud.groups import started
from clusterprint_simcloud.gcs.kept import KeptStore

pytestmark = [pytest.mark.slow, pytest.mark.terraform]

STATE = "gs://my-terraform-state/clusterprint"
GKE = """\
clusterprint: v1
kind: gke
name: bench
project: my-gpu-project
region: us-east4
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: workers, machine_type: n2-standard-4, count: 1}]
storage: {volumes: [{name: data, kind: bucket, bucket: bench-data}]}
workloads: {jobset: {}}
"""
QUOTA = "Error creating Network: googleapi: Error 403: Quota 'NETWORKS' exceeded. Limit: 5.0 globally."


def claimed(name: str, location: str) -> dict[str, object]:
    """A disk as GKE's driver makes it, for a claim in a cluster that is called bench."""
    claim = {
        "kubernetes.io/created-for/pvc/name": "data",
        "kubernetes.io/created-for/pvc/namespace": "default",
    }
    labels = {"goog-gke-volume": "", "goog-k8s-cluster-name": "bench", "goog-k8s-cluster-location": location}
    return {
        "name": name,
        "project": "my-gpu-project",
        "zone": f"{location}-a",
        "labels": labels,
        "description": json.dumps(claim),
    }


@contextmanager
def in_the_middle(life: Life) -> "Iterator[tuple[subprocess.Popen[str], int]]":
    """An `up` whose Terraform stands still while the cloud makes the network, and that Terraform."""
    life.faults(Fault("create", "google_compute_network", delay=8))
    process = life.start("up", VM, "--yes")
    until(lambda: "google_compute_network.primary: Creating" in life.said())
    (terraform,) = working_in(life.folder / "stacks")
    os.kill(terraform, signal.SIGSTOP)
    try:
        yield process, terraform
    finally:
        process.kill()
        with suppress(ProcessLookupError):
            os.kill(terraform, signal.SIGCONT)
        process.communicate()
    life.faults()


def roles(life: Life) -> list[str]:
    """The ids of custom roles."""
    return [str(one.state["role_id"]) for one in life.made() if one.type == "google_project_iam_custom_role"]


def test_a_cluster_comes_in_spite_of_failures_and_goes_without_a_trace(life: Life) -> None:
    assert "no terminal to confirm" in life.run("up", VM, expect=Code.REFUSED)
    assert life.made() == []

    life.faults(Fault("create", "google_compute_network", error=QUOTA))
    said = life.run("up", VM, "--yes", expect=Code.FAILED)
    assert "[first] apply failed: quota" in said
    assert QUOTA in said

    # Made, but reported as failed by a service that is busy: the second try finds out by itself.
    life.faults(
        Fault("create", "google_compute_router", error="googleapi: Error 503: backendError", after=True)
    )
    said = life.run("up", VM, "--yes")
    assert "that may be temporary: next try in" in said
    assert "all outputs: clusterprint outputs --simulate" in said
    assert "nothing to do" in life.run("up", VM, "--detailed-exitcode", expect=Code.NOTHING_TO_DO)
    assert json.loads(life.run("outputs", VM, "--format", "json"))["first"]["nodes"] == ["first-0"]
    (first,) = roles(life)

    life.faults(Fault("delete", "google_compute_subnetwork", error="something that nobody knows"))
    assert "something that nobody knows" in life.run("down", VM, "--yes", expect=Code.FAILED)
    assert "the state is empty" in life.run("down", VM, "--yes")
    assert life.made() == []
    life.run("down", VM, "--yes", "--detailed-exitcode", expect=Code.NOTHING_TO_DO)

    # Google keeps the id of the deleted role for 37 days
    life.run("up", VM, "--yes")
    (second,) = roles(life)
    assert re.fullmatch(r"first_nodes_[0-9a-f]{8}", first)
    assert second != first


def test_what_was_made_and_reported_as_failed_is_not_in_its_own_way(life: Life) -> None:
    """Terraform would replace it, create the new one first, and find the name taken by the old one."""
    life.faults(Fault("create", "google_service_account", error="something that nobody knows", after=True))
    life.run("up", VM, "--yes", expect=Code.FAILED)
    life.faults()
    assert "name taken" in life.run("up", VM, "--yes", expect=Code.FAILED)
    said = life.run("up", VM, "--yes", "--adopt")
    assert "to be adopted: google_service_account.account" in said
    assert "cost: $3.67 per hour" in said, "what is tried again costs once"
    life.run("up", VM, "--detailed-exitcode", expect=Code.NOTHING_TO_DO)


def test_a_chart_that_is_not_ready_in_time_needs_nothing_but_the_same_command(
    life: Life, tmp_path: Path
) -> None:
    blueprint = tmp_path / "bench.yaml"
    blueprint.write_text(GKE)
    life.faults(Fault("create", "helm_release", error="context deadline exceeded", after=True))
    assert "apply failed: not ready in time" in life.run("up", blueprint, "--yes", expect=Code.FAILED)
    life.run("up", blueprint, "--yes")
    life.run("up", blueprint, "--detailed-exitcode", expect=Code.NOTHING_TO_DO)


def test_a_prefix_that_moved_makes_and_adopts_no_second_cluster(life: Life, tmp_path: Path) -> None:
    life.run("up", VM, "--yes")
    moved = tmp_path / "moved.yaml"
    old, new = "bucket: my-terraform-state", "bucket: my-terraform-state, prefix: elsewhere"
    assert old in VM.read_text()
    moved.write_text(VM.read_text().replace(old, new))
    before = life.made()
    for options in (("--yes",), ("--adopt", "--yes"), ("--plan-only",), ("--plan-only", "--read-only")):
        said = life.run("up", moved, *options, expect=Code.FAILED)
        assert "in the state gs://my-terraform-state/clusterprint/first/first/default.tfstate" in said
        assert "looked for at gs://my-terraform-state/elsewhere/first/default.tfstate" in said
        assert "Put backend.gcs.prefix of the blueprint back" in said
        assert "add --adopt" not in said
    assert life.made() == before
    life.run("up", VM, "--detailed-exitcode", expect=Code.NOTHING_TO_DO)


def test_data_and_what_others_made_go_only_when_asked_for(life: Life, tmp_path: Path) -> None:
    blueprint = tmp_path / "bench.yaml"
    blueprint.write_text(GKE)
    life.run("up", blueprint, "--yes")
    with life.cloud.open() as contents:
        network = next(one for one in contents.of("google_compute_network") if one.id.endswith("/bench-net"))
        rule = {"name": "k8s-fw-left", "project": "my-gpu-project", "network": network.state["self_link"]}
        contents.add(Record("google_compute_firewall", "k8s-fw-left", rule, [network.key]))
        content = {"name": "model", "bucket": "bench-data"}
        bucket = next(one for one in contents.of("google_storage_bucket") if one.id == "bench-data")
        contents.add(Record("google_storage_bucket_object", "model", content, [bucket.key]))
        for name, location in (("pvc-ours", "us-east4"), ("pvc-theirs", "europe-west4")):
            contents.add(Record("google_compute_disk", name, claimed(name, location), []))

    said = life.run("down", blueprint, "--yes", expect=Code.FAILED)
    assert said.count("left, with its data: disk of claim default/data pvc-") == 1
    assert "gcloud compute disks delete pvc-ours --project=my-gpu-project --zone=us-east4-a --quiet" in said
    assert "deletion_protection of google_container_cluster.cluster" in said
    assert "[bench-cluster] apply failed: network in use" in said
    assert "firewall rule k8s-fw-left in network bench-net" in said
    assert "kept (--include-data destroys it): bench-data, the objects in it" in said

    said = life.run("down", blueprint, "--yes", "--remove-foreign")
    assert "2 resources left in the state" in said
    left = {one.type for one in life.made()}
    data = {"google_storage_bucket", "google_storage_bucket_object", "google_compute_disk"}
    assert left == {*data, "google_project_service"}

    said = life.run("down", "--state", f"{STATE}/bench", "--include-data", "--yes")
    assert "bench-cluster: everything is gone, and the state is empty" in said
    assert {one.id for one in life.made()} == {"pvc-ours", "pvc-theirs"}


def test_disks_of_claims_go_with_data_where_that_is_agreed(life: Life, tmp_path: Path) -> None:
    blueprint = tmp_path / "bench.yaml"
    blueprint.write_text(GKE)
    life.run("up", blueprint, "--yes")
    with life.cloud.open() as contents:
        for name, location in (("pvc-ours", "us-east4"), ("pvc-theirs", "europe-west4")):
            contents.add(Record("google_compute_disk", name, claimed(name, location), []))
    said = life.run("down", blueprint, "--yes", "--include-data", "--remove-foreign")
    assert "  disk of claim default/data pvc-ours in cluster bench" in said
    assert "removing disk of claim default/data: pvc-ours" in said
    assert [one.id for one in life.made()] == ["pvc-theirs"]


def test_of_what_others_made_only_what_was_approved_is_removed(life: Life, tmp_path: Path) -> None:
    blueprint, approval = tmp_path / "bench.yaml", tmp_path / "approval.json"
    blueprint.write_text(GKE)
    life.run("up", blueprint, "--yes")

    def rule(name: str) -> None:
        with life.cloud.open() as contents:
            network = next(
                one for one in contents.of("google_compute_network") if one.id.endswith("/bench-net")
            )
            state = {"name": name, "project": "my-gpu-project", "network": network.state["self_link"]}
            contents.add(Record("google_compute_firewall", name, state, [network.key]))

    rule("k8s-fw-first")
    with life.cloud.open() as contents:
        contents.add(Record("google_compute_disk", "pvc-ours", claimed("pvc-ours", "us-east4"), []))
    down = ("down", blueprint, "--include-data", "--remove-foreign")
    showing = (*down, "--plan-only", "--read-only", "--write-approval", approval)
    said = life.run(*showing, expect=Code.CHANGES)
    assert "Removed, unless it goes with what is destroyed, and in no state:" in said
    assert "  firewall rule k8s-fw-first in network bench-net of project my-gpu-project\n" in said
    assert "  disk of claim default/data pvc-ours in cluster bench\n" in said

    rule("k8s-fw-later")
    said = life.run(*down, "--approved", approval, expect=Code.FAILED)
    assert "not removed: nobody has approved the removal of firewall rule k8s-fw-later" in said
    assert {"k8s-fw-first", "k8s-fw-later"} < {one.id for one in life.made()}

    life.run(*showing, expect=Code.CHANGES)
    assert "the state is empty" in life.run(*down, "--approved", approval)
    assert life.made() == []


def test_a_cluster_whose_blueprint_is_gone_is_destroyed_from_its_states(life: Life, tmp_path: Path) -> None:
    blueprint = tmp_path / "bench.yaml"
    blueprint.write_text(GKE)
    life.run("up", blueprint, "--yes")
    blueprint.unlink()
    said = life.run("down", "--state", f"{STATE}/bench", "--include-data", "--yes")
    assert said.index("destroyed helm_release") < said.index("destroyed google_container_cluster")
    assert life.made() == []


def test_the_first_signal_ends_a_step_and_leaves_no_lock(life: Life) -> None:
    with in_the_middle(life) as (process, terraform):
        process.send_signal(signal.SIGTERM)
        os.kill(terraform, signal.SIGCONT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == Code.TERMINATED, err
    life.run("down", VM, "--yes")  # what there is of it
    assert life.made() == []


def test_the_terraform_of_a_killed_run_ends_its_work_and_the_next_one_goes_on(life: Life) -> None:
    with in_the_middle(life) as (process, terraform):
        assert "another run is active on stack first" in life.run("up", VM, "--yes", expect=Code.FAILED)
        process.kill()
        process.wait()
        following = life.start("up", VM, "--yes")
        assert following.stderr is not None
        until(
            lambda: (
                "its Terraform is still active on first"
                in str(following.stderr and following.stderr.readline())
            )
        )
        os.kill(terraform, signal.SIGCONT)
        out, err = following.communicate(timeout=240)
    assert following.returncode == Code.DONE, out + err
    life.run("down", VM, "--yes")
    assert life.made() == []


def test_from_two_machines_the_second_is_told_who_has_the_lock(life: Life, tmp_path: Path) -> None:
    other = tmp_path / "other"  # with work folders of its own, and the same cloud
    other.mkdir()
    with in_the_middle(life):
        for name in ("cloud", "storage"):
            (other / name).symlink_to(life.folder / name)
        said = life.run("up", VM, "--yes", "--simulate", other, expect=Code.FAILED)
    assert "plan failed: stale lock" in said
    assert re.search(r"^  Lock \d+: OperationTypeApply of \S+@\S+, since 20", said, re.MULTILINE)
    life.run("down", VM, "--yes")
    assert life.made() == []


def test_what_a_killed_terraform_made_is_adopted_once_its_lock_is_released(life: Life) -> None:
    with in_the_middle(life) as (process, terraform):
        process.kill()
        process.wait()
        os.kill(terraform, signal.SIGKILL)
        until(lambda: any(one.id.endswith("/first-net") for one in life.made()))
    said = life.run("up", VM, "--yes", expect=Code.FAILED)
    assert "plan failed: stale lock" in said
    lock = said.partition("  Lock ")[2].partition(":")[0]
    said = life.run("up", VM, "--yes", "--release-lock", lock, expect=Code.FAILED)
    assert "apply failed: name taken" in said
    life.run("up", VM, "--yes", "--adopt")
    life.run("down", VM, "--yes")
    # A role whose id the killed run took with it cannot be adopted, and stays: it grants nobody anything.
    assert {one.type for one in life.made()} <= {"google_project_iam_custom_role"}


def test_what_is_there_without_a_state_is_imported_and_nothing_of_it_is_made_again(
    life: Life, tmp_path: Path
) -> None:
    blueprint = tmp_path / "bench.yaml"
    blueprint.write_text(GKE.replace("workloads: {jobset: {}}\n", ""))
    life.run("up", blueprint, "--yes")
    store = KeptStore(life.folder / "storage")
    with store.session(changing=True):
        objects = store.buckets["my-terraform-state"].objects
        for name in [
            each for each in objects if "/bench-cluster/" in each
        ]:  # Kubernetes objects are not imported
            del objects[name]
    before = {one.key for one in life.made()}
    said = life.run("adopt", blueprint)
    imports = {
        each["to"]: each["id"] for each in json.loads(said[said.index("{") : said.rindex("}") + 1])["import"]
    }
    assert imports["google_container_cluster.cluster"].endswith("/locations/us-east4/clusters/bench")
    assert imports["google_storage_bucket.bucket-bench-data"] == "bench-data"
    assert imports["google_compute_network.primary"].endswith("/networks/bench-net")
    assert "recreated" not in said
    assert "changed in place" not in said
    assert "to import" in life.run("up", blueprint, "--adopt", "--yes")
    assert {one.key for one in life.made()} == before
    assert "nothing to do: 2 stacks" in life.run("up", blueprint, "--yes")
    assert "0 imports; 0 to create" in life.run("adopt", blueprint)


def test_status_says_what_is_there_what_has_drifted_and_who_has_locked_it(life: Life) -> None:
    blueprint = life.folder / "first.yaml"
    blueprint.write_text(VM.read_text().replace("a2-highgpu-1g", "a2-highgpu-1g, count: 2"))

    def status(expect: int = Code.DONE) -> dict[str, Any]:
        said = life.run("status", blueprint, "--format", "json", "--detailed-exitcode", expect=expect)
        (found,) = json.loads(said[said.index("{") : said.rindex("}") + 1])["clusters"]
        return cast(dict[str, Any], found)

    before = status(expect=Code.CHANGES)
    assert not before["stacks"][0]["exists"]
    assert before["nodes"] is None

    life.run("up", blueprint, "--yes")
    standing = status()
    assert standing["as_said"]
    assert [each["state"] for each in standing["nodes"]["nodes"]] == ["ready", "ready"]
    assert standing["cost"]["usd_per_hour"] > 0
    assert standing["stacks"][0]["outputs"]["nodes"] == ["first-0", "first-1"]
    (images,) = standing["nodes"]["images"]
    assert "/images/family/" in images["wanted"]
    assert list(images["running"].values()) == [["first-0", "first-1"]]

    with life.cloud.open() as contents:
        second = next(
            each for each in contents.of("google_compute_instance") if each.state["name"] == "first-1"
        )
        started(contents)[second.id] = "2025-03-04T05:06:07Z"
    moved = status(expect=Code.CHANGES)
    assert (moved["as_said"], moved["stacks"][0]["pending"]) == (False, [])
    assert list(moved["nodes"]["images"][0]["running"].values()) == [["first-0"], ["first-1"]]
    assert moved["nodes"]["nodes"][1]["image"].endswith("-v20250301")
    assert "images differ; the blueprint has projects/" in life.run("status", blueprint, "--no-drift")

    with life.cloud.open() as contents:
        (firewall, *_) = contents.of("google_compute_firewall")
        firewall.state["source_ranges"] = ["0.0.0.0/0"]
    store = KeptStore(life.folder / "storage")
    with store.session(changing=True):
        lock = {"ID": "1", "Who": "me@laptop", "Operation": "OperationTypeApply"}
        store.put("my-terraform-state", "clusterprint/first/first/default.tflock", json.dumps(lock).encode())
    drifted = status(expect=Code.CHANGES)
    (stack,) = drifted["stacks"]
    assert [each["actions"] for each in stack["drifted"]] == [["update"]]
    assert stack["locked"]["who"] == "me@laptop"
