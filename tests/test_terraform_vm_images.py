"""Images that are built for nodes of `kind: vm`, by real Terraform in the simulated cloud."""

import sys
from pathlib import Path

import pytest
from support import Run

from clusterprint_simcloud import World

pytestmark = [pytest.mark.terraform, pytest.mark.slow]

BLUEPRINT = """\
clusterprint: v1
kind: vm
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes:
  machine_type: g2-standard-8
  boot_disk: {keep: false}
  image_build:
    script: {inline: "apt-get install --yes hwloc"}
    storage_location: us
    share_with: ["group:research@example.com"]
"""
OTHER = BLUEPRINT.replace("hwloc", "nvtop")
IMAGE = "google_compute_image"
BUILT = "terraform_data.image-life"


def synthesized(clusterprint: Run, folder: Path, text: str = BLUEPRINT) -> Path:
    file = folder / "life.yaml"
    file.write_text(text)
    done = clusterprint("synth", file, "--out", folder / "out")
    assert done.returncode == 0, done.stderr
    return folder / "out" / "stacks" / "life"


def flat(text: str) -> str:
    """The output of Terraform, without its frames and line ends."""
    return " ".join(text.replace("│", " ").split())


def family(world: World) -> dict[str, str]:
    """The images by name, each with the one that follows it."""
    return {one.state["name"]: one.state["deprecated"] for one in world.resources(IMAGE)}


def machines(world: World) -> list[str]:
    return [one.state["name"] for one in world.resources("google_compute_instance")]


def image_of_nodes(world: World) -> str:
    (template,) = world.resources("google_compute_instance_template")
    return str(template.state["disk"][0]["source_image"])


def test_an_image_is_built_once_and_followed_by_the_next(clusterprint: Run, tmp_path: Path) -> None:
    folder = synthesized(clusterprint, tmp_path)
    with World("my-terraform-state") as world:
        world.apply(folder)
        (one,) = world.resources(IMAGE)
        first = one.state["name"]
        assert (one.state["family"], one.state["disk_size_gb"]) == ("life", 50)
        assert one.state["storage_locations"] == ["us"]
        assert image_of_nodes(world) == f"projects/my-gpu-project/global/images/{first}"
        (user,) = world.resources("google_compute_image_iam_member")
        assert (user.state["image"], user.state["role"]) == (first, "roles/compute.imageUser")
        assert machines(world) == ["life-0"], "the machine that built it is gone"
        assert world.changes(folder) == {}

        folder = synthesized(clusterprint, tmp_path, OTHER)
        changes = world.changes(folder)
        assert changes[BUILT] == "replace"
        assert changes["google_compute_instance_template.template"] == "replace"
        world.carry_out(folder)
        assert world.changes(folder) == {}
        (second,) = family(world).keys() - {first}
        assert family(world) == {first: second, second: ""}
        assert image_of_nodes(world).endswith(second)

        # Back again nothing is built, and the family means the first one once more.
        world.apply(synthesized(clusterprint, tmp_path))
        assert family(world) == {first: "", second: first}
        world.destroy(folder)
        assert family(world) == {first: "", second: first}, "nodes of others may boot from them"
        assert not machines(world)


def test_an_image_that_is_gone_is_said_by_a_plan_and_built_by_the_command(
    clusterprint: Run, tmp_path: Path
) -> None:
    folder = synthesized(clusterprint, tmp_path)
    with World("my-terraform-state") as world:
        world.apply(folder)
        (one,) = world.resources(IMAGE)
        with world.cloud.open() as contents:
            contents.remove(contents.records[one.key])
        done = world.terraform(folder, "plan", check=False)
        said = flat(done.stdout + done.stderr)
        assert done.returncode == 1
        assert (
            f"The image {one.state['name']} was built, and is not in project my-gpu-project any more" in said
        )
        assert "clusterprint image BLUEPRINT --submit" in said

        command = (sys.executable, "-m", "clusterprint", "image", str(tmp_path / "life.yaml"), "--submit")
        built = world.run(*command, folder=tmp_path)
        assert built.stdout == f"projects/my-gpu-project/global/images/{one.state['name']}\n"
        assert f"{one.state['name']} is there" in built.stderr
        assert machines(world) == ["life-0"]
        assert world.changes(folder) == {}
        again = world.run(*command, folder=tmp_path)
        assert f"{one.state['name']} is there already" in again.stderr


def test_without_a_network_nothing_is_built(clusterprint: Run, tmp_path: Path) -> None:
    synthesized(clusterprint, tmp_path)
    with World("my-terraform-state") as world:
        command = (sys.executable, "-m", "clusterprint", "image", str(tmp_path / "life.yaml"), "--submit")
        done = world.run(*command, folder=tmp_path, check=False)
        assert done.returncode == 3
        assert "subnetworks/life-net' was not found" in done.stderr
        assert "there is no machine to build life-" in done.stderr
        assert not world.resources(IMAGE)
