"""`clusterprint image` from outside, with a gcloud that plays a build."""

import json
import os
import sys
from pathlib import Path

import fake_gcloud
import pytest
from support import BLUEPRINTS, GOLDENS, Run, read_stack

pytestmark = pytest.mark.slow


@pytest.fixture
def blueprint(tmp_path: Path) -> Path:
    """A blueprint that builds an image, in a folder of its own."""
    file = tmp_path / "blueprints" / "ray.yaml"
    file.parent.mkdir()
    file.write_text((BLUEPRINTS / "ray-h200.yaml").read_text("utf-8"), "utf-8")
    return file


def environment(tmp_path: Path, play: str, image: str = "") -> dict[str, str]:
    """A gcloud on the PATH that plays this."""
    wrapper = tmp_path / "bin" / "gcloud"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{fake_gcloud.__file__}" "$@"\n')
    wrapper.chmod(0o755)
    return {
        "PATH": f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}",
        "FAKE_GCLOUD": play,
        "FAKE_GCLOUD_CALLS": str(tmp_path / "calls"),
        "FAKE_IMAGE": image,
    }


def test_it_prints_the_job_and_calls_nobody(clusterprint: Run, blueprint: Path, tmp_path: Path) -> None:
    done = clusterprint("image", blueprint, env=environment(tmp_path, "refused"))
    assert done.returncode == 0, done.stderr
    job = json.loads(done.stdout)
    assert job["options"]["pool"]["name"].endswith("/locations/us-south1/workerPools/oasis-build")
    assert not (tmp_path / "calls").exists()
    assert [each.name for each in blueprint.parent.iterdir()] == ["ray.yaml"]


def test_what_is_built_is_what_the_next_synth_runs(
    clusterprint: Run, blueprint: Path, tmp_path: Path
) -> None:
    done = clusterprint("image", blueprint, "--submit", env=environment(tmp_path, "success"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith(f"oasis-docker/ray@{fake_gcloud.DIGEST}")
    assert json.loads((blueprint.parent / "oasis.image.lock").read_text())["digest"] == fake_gcloud.DIGEST
    assert clusterprint("synth", blueprint, "--out", tmp_path / "out").returncode == 0
    stack = read_stack(tmp_path / "out" / "stacks" / "oasis-ray" / "cdk.tf.json")
    assert f"@{fake_gcloud.DIGEST}" in stack["resource"]["helm_release"]["ray"]["values"][0]


def test_the_provisioner_is_built_where_its_blueprint_names_no_image(
    clusterprint: Run, tmp_path: Path
) -> None:
    blueprint = tmp_path / "blueprints" / "tpu.yaml"
    blueprint.parent.mkdir()
    blueprint.write_text((GOLDENS / "slice-provisioner.yaml").read_text("utf-8"), "utf-8")
    done = clusterprint("image", blueprint, "--submit", env=environment(tmp_path, "success"))
    assert done.returncode == 0, done.stderr
    [lock] = blueprint.parent.glob("*.provisioner.image.lock")
    assert done.stdout.strip().endswith(f"-docker/provisioner@{fake_gcloud.DIGEST}")
    assert clusterprint("validate", "--strict", blueprint).returncode == 0
    assert clusterprint("synth", blueprint, "--out", tmp_path / "out").returncode == 0
    [stack] = (tmp_path / "out" / "stacks").glob("*-workloads/cdk.tf.json")
    image = json.loads(lock.read_text())["image"]
    assert f'"image": "{image}@{fake_gcloud.DIGEST}"' in stack.read_text("utf-8")


@pytest.mark.parametrize(
    ("play", "said"),
    [
        ("failure", "Unable to locate package libnl-3-2000"),
        ("refused", "PERMISSION_DENIED"),
        ("no-digest", "reports no digest"),
    ],
)
def test_a_build_that_fails_says_why_and_leaves_the_last_lock(
    clusterprint: Run, blueprint: Path, tmp_path: Path, play: str, said: str
) -> None:
    lock = blueprint.parent / "oasis.image.lock"
    image = "us-south1-docker.pkg.dev/my-gpu-project/oasis-docker/ray"
    lock.write_text(json.dumps({"image": image, "digest": "sha256:" + "2" * 64, "inputs": "0" * 64}))
    before = lock.read_text()
    done = clusterprint("image", blueprint, "--submit", env=environment(tmp_path, play))
    assert (done.returncode, done.stdout) == (3, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert lock.read_text() == before


def test_a_build_of_before_is_waited_for(clusterprint: Run, blueprint: Path, tmp_path: Path) -> None:
    printed = json.loads(clusterprint("image", blueprint).stdout)
    variables = environment(tmp_path, "disconnected", printed["images"][0])
    done = clusterprint("image", blueprint, "--build", fake_gcloud.ID, env=variables)
    assert done.returncode == 0, done.stderr
    assert (blueprint.parent / "oasis.image.lock").is_file()


def test_mistakes_in_the_blueprint_come_first(clusterprint: Run, blueprint: Path, tmp_path: Path) -> None:
    blueprint.write_text(blueprint.read_text().replace("compute_class: h200", "compute_class: h100"))
    done = clusterprint("image", blueprint, "--submit", env=environment(tmp_path, "success"))
    assert done.returncode == 1
    assert "RAY002" in done.stderr
    assert not (tmp_path / "calls").exists()


def test_images_of_machines_are_printed_and_nobody_is_asked(clusterprint: Run, tmp_path: Path) -> None:
    blueprint = BLUEPRINTS / "vm-baked-image.yaml"
    variables = environment(tmp_path, "refused")
    done = clusterprint("image", blueprint, env=variables)
    assert done.returncode == 0, done.stderr
    [printed] = json.loads(done.stdout)
    assert printed["image"].startswith("baked-")
    assert printed["environment"]["IMAGE"] == printed["image"]
    assert not (tmp_path / "calls").exists()
    done = clusterprint("image", blueprint, "--build", fake_gcloud.ID, env=variables)
    assert done.returncode == 2
    assert "--submit resumes a build that was interrupted" in done.stderr


@pytest.mark.parametrize("name", ["vm-smallest.yaml", "ray-l4-dev.yaml"])
def test_a_blueprint_without_an_image_is_wrong_usage(clusterprint: Run, name: str) -> None:
    done = clusterprint("image", BLUEPRINTS / name)
    assert done.returncode == 2
    assert "builds no image" in done.stderr
