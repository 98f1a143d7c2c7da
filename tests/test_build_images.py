"""`up --build-images` in a simulated cloud: cluster, images, and then what runs them."""

from pathlib import Path

import pytest
from lives import Life
from support import Run

from clusterprint.exit_codes import Code
from clusterprint_simcloud import Fault
from clusterprint_simcloud.cloud.contents import Record

pytestmark = [pytest.mark.slow, pytest.mark.terraform]

BLUEPRINT = """\
clusterprint: v1
kind: gke
name: bench
project: my-gpu-project
region: us-east4
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: workers, machine_type: n2-standard-4, count: 1}]
image_builds: [{name: hpl, pool: default, dockerfile: {inline: "FROM debian:12-slim\\n"}}]
workloads:
  jobset: {}
  jobsets: [{name: solve, build: hpl, command: [xhpl]}]
"""


@pytest.fixture
def life(tmp_path: Path, clusterprint: Run) -> Life:
    return Life(tmp_path / "world", clusterprint)


@pytest.fixture
def blueprint(tmp_path: Path) -> Path:
    file = tmp_path / "blueprints" / "bench.yaml"
    file.parent.mkdir()
    file.write_text(BLUEPRINT, "utf-8")
    return file


def jobs(life: Life) -> list[Record]:
    """The releases of jobs that there are."""
    return [one for one in life.made() if one.type == "helm_release" and one.state["name"] == "jobset-solve"]


def test_images_are_built_between_the_cluster_and_what_runs_them(life: Life, blueprint: Path) -> None:
    said = life.run("up", blueprint, "--yes", "--build-images")
    assert "/bench-docker/hpl@sha256:" in said
    assert "to be built" not in said
    [job] = jobs(life)
    assert "/bench-docker/hpl@sha256:" in job.state["values"][0]
    # What a simulated cloud has built is nobody's image.
    assert [each.name for each in blueprint.parent.iterdir()] == ["bench.yaml"]
    again = life.run("up", blueprint, "--yes", "--build-images")
    assert "0 to change" in again or "nothing to do" in again


def test_what_is_not_built_is_said_and_left_out(life: Life, blueprint: Path) -> None:
    said = life.run("up", blueprint, "--yes")
    assert "to be built: image hpl; the same command with --build-images does it" in said
    assert "solve is left out until image hpl has been built" in said
    assert jobs(life) == []


def test_nobody_builds_without_being_asked(life: Life, blueprint: Path) -> None:
    said = life.run("up", blueprint, "--build-images", expect=Code.REFUSED)
    assert "refused" in said
    assert life.made() == []


def test_a_build_that_cannot_be_submitted_ends_the_command(life: Life, blueprint: Path) -> None:
    life.faults(Fault("create", "google_cloudbuild_worker_pool", error="Error 403: forbidden", times=9))
    blueprint.write_text(BLUEPRINT.replace("pool: default, ", ""), "utf-8")
    life.run("up", blueprint, "--yes", "--build-images", expect=Code.FAILED)
    assert jobs(life) == []
    life.faults()
    life.run("up", blueprint, "--yes", "--build-images")
    assert len(jobs(life)) == 1


def test_it_does_not_go_with_what_was_approved_before(life: Life, blueprint: Path) -> None:
    said = life.run(
        "up", blueprint, "--build-images", "--approved", blueprint.parent / "x.json", expect=Code.WRONG_USAGE
    )
    assert "commit their lock files with what is approved" in said
