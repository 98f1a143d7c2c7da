"""The folder that an image is built from: what a build gets of it, and what the image remembers of it."""

import tarfile
from pathlib import Path

import pytest

from clusterprint.errors import EnvironmentFailure
from clusterprint.examine import examine
from clusterprint.image import job
from clusterprint.plan.builds import ImagePlan
from clusterprint.resolve.ray.image import resolve_image

BLUEPRINT = """\
clusterprint: v1
kind: ray
name: dev
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state}}
node_pools: [{name: cpus, machine_type: n2-standard-8, autoscaling: {max: 2}}]
ray: {workers: [{name: cpu, pool: cpus, max: 2}]}
registry: {docker: true}
image_build: {context: ./image, pool: default, cache: true}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A blueprint, and a folder with a program that is run, a log that is not wanted, and a `.gitignore`."""
    files = {
        "blueprint.yaml": BLUEPRINT,
        "image/Dockerfile": "ARG BASE_IMAGE\nFROM ${BASE_IMAGE}\nCOPY . /opt\n",
        "image/.dockerignore": "*.log\n",
        "image/.gitignore": "trainer\n",
        "image/trainer/run.sh": "#!/bin/sh\n",
        "image/last.log": "noise\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "image/trainer/run.sh").chmod(0o755)
    return tmp_path


def said(folder: Path) -> list[str]:
    return [each.code for each in examine([folder / "blueprint.yaml"]).diagnostics]


MIB = 1 << 20


@pytest.mark.parametrize(
    ("sizes", "what"),
    [
        ([64 * MIB], ""),
        ([64 * MIB + 1], "large-0 with more than 64 MiB"),
        ([64 * MIB - 64] * 4, ""),
        ([64 * MIB] * 4, "256 MiB"),
    ],
)
def test_how_much_a_build_is_given(folder: Path, sizes: list[int], what: str) -> None:
    for number, size in enumerate(sizes):
        with (folder / "image" / f"large-{number}").open("wb") as file:
            file.truncate(size)
    found = [each.message for each in examine([folder / "blueprint.yaml"]).diagnostics]
    assert found == ([f"./image holds {what}, too much to build an image from"] if what else [])


def plan(folder: Path) -> ImagePlan:
    [result] = examine([folder / "blueprint.yaml"]).results
    assert result.blueprint is not None
    return resolve_image(result.blueprint, folder)  # type: ignore[arg-type]


def packed(made: ImagePlan, folder: Path, target: Path) -> bytes:
    target.mkdir()
    job.lay(made, folder, target)
    return (target / job.SOURCE).read_bytes()


def test_the_build_gets_what_is_not_ignored_and_is_run_as_before(folder: Path) -> None:
    assert said(folder) == []
    packed(plan(folder), folder, folder / "laid")
    with tarfile.open(folder / "laid" / job.SOURCE) as archive:
        modes = {each.name: each.mode for each in archive}
    # What git ignores is built all the same: the image says what it copies.
    assert modes == {
        **dict.fromkeys((".dockerignore", ".gitignore", "Dockerfile", "requirements.txt"), 0o644),
        "trainer/run.sh": 0o755,
    }


def test_the_same_files_are_the_same_bytes(folder: Path) -> None:
    first = packed(plan(folder), folder, folder / "one")
    for file in (folder / "image").rglob("*"):
        file.touch()
    assert packed(plan(folder), folder, folder / "two") == first


def test_what_the_image_is_made_from_is_in_its_tag(folder: Path) -> None:
    before = plan(folder).tag
    (folder / "image/last.log").write_text("more noise\n")
    assert plan(folder).tag == before
    (folder / "image/trainer/run.sh").chmod(0o644)
    without_right = plan(folder).tag
    (folder / "image/trainer/run.sh").write_text("#!/bin/sh\ntrue\n")
    assert len({before, without_right, plan(folder).tag}) == 3


def test_a_file_that_changes_in_between_is_not_built(folder: Path) -> None:
    made = plan(folder)
    (folder / "image/Dockerfile").write_text("FROM elsewhere\n")
    with pytest.raises(EnvironmentFailure, match="changed while it was used"):
        packed(made, folder, folder / "laid")


def test_builds_in_the_default_pool_begin_with_the_layers_of_the_last_one(folder: Path) -> None:
    configuration = job.configuration(plan(folder))
    image = "us-central1-docker.pkg.dev/my-project/dev-docker/ray"
    pull, build = configuration["steps"]
    assert pull["args"] == ["pull", "--quiet", f"{image}:cache"]
    assert pull["allowFailure"]
    assert f"--cache-from={image}:cache" in build["args"]
    assert build["env"] == ["DOCKER_BUILDKIT=0"], "BuildKit refuses the network of Cloud Build"
    assert configuration["images"] == [plan(folder).name, f"{image}:cache"]
    assert configuration["options"]["machineType"] == "E2_HIGHCPU_8"
    assert configuration["options"]["diskSizeGb"] == "100"
    assert "pool" not in configuration["options"]


@pytest.mark.parametrize(
    ("name", "target", "code"),
    [
        ("image/out", "/etc/hostname", "BP210"),
        ("image/up", "../..", "BP210"),
        ("image/trainer/loop", "..", "BP212"),
        ("image/nowhere", "missing", "BP211"),
    ],
)
def test_links_that_lead_elsewhere_are_refused(folder: Path, name: str, target: str, code: str) -> None:
    (folder / name).symlink_to(target)
    assert code in said(folder)


def test_private_files_are_refused_unless_they_are_left_out(folder: Path) -> None:
    (folder / "image/.env").write_text("TOKEN=x\n")
    assert "BP241" in said(folder)
    (folder / "image/.dockerignore").write_text(".env\n")
    assert said(folder) == []


def test_a_large_file_belongs_elsewhere(folder: Path) -> None:
    with (folder / "image/weights.bin").open("wb") as file:
        file.truncate((64 << 20) + 1)
    assert said(folder) == ["RAY106"]
    (folder / "image/.dockerignore").write_text("weights.bin\n")
    assert said(folder) == []
