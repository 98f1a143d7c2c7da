"""Both images, really built, and what people do with them: as a user whom nobody knows, without a network."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from containers import Engine, Image
from lab import ENVIRONMENT, HOME, Lab
from lives import until
from servers import Servers, kubeconfig
from support import BLUEPRINTS, ROOT

from clusterprint.exit_codes import Code
from clusterprint_simcloud import Fault, World

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.xdist_group("containers")]

SOMEBODY = "12345:12345"
ENV_FILE = {
    "ACTION": "Create",
    "PROJECT_ID": "my-gpu-project",
    "NAME_PREFIX": "spani",
    "ZONE": "us-central1-f",
    "INSTANCE_COUNT": "1",
    "VM_TYPE": "a2-highgpu-1g",
    "TERRAFORM_GCS_PATH": "gs://my-terraform-state",
    "CLEANUP_ON_EXIT": "no",
}
LEASE = "coordination.k8s.io/leases"


@pytest.fixture(scope="module")
def image(engine: Engine) -> Image:
    return engine.build("clusterprint", ROOT)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder of somebody whom the image does not know."""
    folder = tmp_path / "work"
    folder.mkdir()
    shutil.copytree(BLUEPRINTS, folder / "blueprints", symlinks=True)
    number = int(SOMEBODY.partition(":")[0])
    for each in (folder, *folder.rglob("*")):
        os.chown(each, number, number, follow_symlinks=False)
    return folder


def test_it_says_what_it_can_do_to_whoever_starts_it(image: Image) -> None:
    done = image.run()
    assert done.returncode == Code.DONE, done.stderr
    assert "Usage: clusterprint [OPTIONS] COMMAND" in done.stdout
    assert image.run("--version").stdout.startswith("clusterprint, version ")


def test_somebody_checks_and_synthesizes_in_a_folder_of_their_own(
    image: Image, work: Path, synthesized: Path
) -> None:
    options = {"user": SOMEBODY, "volumes": {work: "/work"}}
    done = image.run("validate", "--strict", **options)
    assert (done.returncode, done.stderr) == (Code.DONE, ""), done.stdout
    assert "no problems" in done.stdout
    done = image.run("synth", "blueprints", "--out", "out", **options)
    assert (done.returncode, done.stderr) == (Code.DONE, "")
    made = list((work / "out").rglob("*"))
    assert {each.stat().st_uid for each in made} == {int(SOMEBODY.partition(":")[0])}
    assert {each.name for each in (work / "out/stacks").iterdir()} == {
        each.name for each in synthesized.iterdir()
    }
    for each in synthesized.glob("*/cdk.tf.json"):  # as anywhere, though with other modules of the bindings
        assert (work / "out/stacks" / each.parent.name / each.name).read_bytes() == each.read_bytes()


def test_a_review_compares_revisions(image: Image, work: Path) -> None:
    options = {"user": SOMEBODY, "volumes": {work: "/work"}}
    author = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    for words in (("init", "--quiet"), ("add", "."), (*author, "commit", "--quiet", "--message=a")):
        done = image.run(*words, program="git", **options)
        assert done.returncode == 0, done.stderr
    changed = work / "blueprints/vm-smallest.yaml"
    changed.write_text(changed.read_text() + "labels: {team: ml}\n")
    done = image.run("review", "--base", "HEAD", **options)
    assert done.returncode == Code.CHANGES, done.stderr
    assert "first" in done.stdout


def test_logins_and_states_have_a_place_for_any_user(image: Image) -> None:
    shown = '#!/bin/sh\nprintf \'%s\\n\' "$HOME"; touch "$HOME/a" "$CLUSTERPRINT_CACHE"\n'
    program = image.scratch.parent / "clusterprint"
    program.write_text(shown)
    program.chmod(0o755)
    for user in (SOMEBODY, ""):
        done = image.run(user=user, volumes={program: "/opt/clusterprint/bin/clusterprint"})
        assert (done.returncode, done.stdout, done.stderr) == (0, "/tmp\n", "")  # noqa: S108


def test_the_page_says_how_large_it_is(image: Image) -> None:
    ours = size_of(image.root / "opt")
    said = re.search(r"(\d+) MB of its own", (ROOT / "docs/install.md").read_text("utf-8"))
    assert said
    assert abs(ours - int(said[1])) <= 0.05 * int(said[1]), f"{ours} MB"
    complete = [
        each.name for each in image.root.glob("opt/clusterprint/lib/python*/site-packages/cdktf_cdktf*")
    ]
    assert complete == []


def size_of(folder: Path) -> int:
    """In MB, files that are there once counted once."""
    return sum(each.lstat().st_size for each in folder.rglob("*") if not each.is_dir()) // 1_000_000


def test_all_problems_of_an_env_file_are_said_before_anything_is_done(image: Image, work: Path) -> None:
    given = {**ENV_FILE, "INSTANCE_COUNT": "two", "VM_TYPE": "a2-highgpu-1"}
    done = image.run(user=SOMEBODY, volumes={work: "/work"}, environment=given)
    assert done.returncode == Code.PROBLEMS
    assert "INSTANCE_COUNT is not a whole number: 'two'" in done.stderr
    assert "environment variable VM_TYPE: error: there is no machine type a2-highgpu-1 " in done.stderr
    assert not (work / "spani.yaml").exists()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World("my-terraform-state", folder=tmp_path / "world") as made:
        yield made


def in_world(world: World, work: Path, **variables: str) -> dict[str, object]:
    """The settings of a container with which its Terraform reaches this cloud and no other."""
    changed = {name: text for name, text in world.environment.items() if os.environ.get(name) != text}
    attached = json.loads(changed.pop("TF_REATTACH_PROVIDERS"))
    changed.pop("PATH")  # programs of this machine, which there are none of in there
    sockets = {Path(each["Addr"]["String"]).parent for each in attached.values()}
    for folder in sockets:
        for each in (folder, *folder.iterdir()):
            each.chmod(0o777)
    for each in attached.values():
        each["Pid"] = 1  # of a process that is there
    terraform = shutil.which("terraform") or shutil.which("tofu")
    assert terraform
    folders = {folder: str(folder) for folder in (*sockets, world.folder)}
    world.folder.parent.chmod(0o755)
    return {
        "user": SOMEBODY,
        "network": True,
        "environment": {**ENV_FILE, **changed, "TF_REATTACH_PROVIDERS": json.dumps(attached), **variables},
        "volumes": {work: "/work", Path(terraform): f"/usr/local/bin/{Path(terraform).name}", **folders},
    }


@pytest.mark.terraform
def test_an_env_file_makes_a_cluster_and_destroys_it(image: Image, work: Path, world: World) -> None:
    done = image.run(**in_world(world, work))
    assert done.returncode == Code.DONE, done.stdout + done.stderr
    assert "$ clusterprint up spani.yaml --yes" in done.stderr
    made = [each for each in world.resources() if not each.builtin]
    assert "spani-0" in {each.state.get("name") for each in made}

    done = image.run("Destroy", **in_world(world, work))
    assert done.returncode == Code.DONE, done.stdout + done.stderr
    assert "the state is empty" in done.stdout + done.stderr
    assert {each.type for each in world.resources()} <= {"google_storage_bucket"}


@pytest.mark.terraform
def test_a_container_that_is_stopped_destroys_what_it_has_made(
    image: Image, work: Path, world: World
) -> None:
    """As process 1, for which a signal that nobody handles does nothing."""
    world.faults(Fault("create", "google_compute_network", delay=4))
    options = in_world(world, work, CLEANUP_ON_EXIT="yes")
    with subprocess.Popen(
        image.command(**options),  # type: ignore[arg-type]
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as running:
        assert running.stdout
        said = ""
        while "creating google_compute_network.primary" not in said:
            line = running.stdout.readline()
            assert line, said
            said += line
        os.kill(first_process(running.pid), signal.SIGTERM)
        said += running.stdout.read()
    assert running.returncode == Code.TERMINATED, said
    assert "everything that was created is destroyed" in said
    assert {each.type for each in world.resources()} <= {"google_storage_bucket"}


def first_process(started: int) -> int:
    """Process 1 of a container, as this machine counts."""
    (found,) = Path(f"/proc/{started}/task/{started}/children").read_text().split()
    return int(found)


@pytest.fixture(scope="module")
def provisioner(engine: Engine) -> Image:
    return engine.build("provisioner", ROOT / "provisioner")


def test_the_provisioner_says_its_options_and_what_it_lacks(provisioner: Image) -> None:
    assert provisioner.config["User"] == "65532:65532"
    done = provisioner.run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "--leader-elect" in done.stdout
    done = provisioner.run("--leader-elect")
    assert done.returncode == 2
    assert "GCP_PROJECT_ID is not set\n" in done.stderr


def test_the_provisioner_leads_a_cluster_until_it_is_stopped(provisioner: Image, tmp_path: Path) -> None:
    lab = Lab()
    lab.api.waits = True
    servers = Servers(lab)
    kubeconfig(tmp_path / "config", servers.cluster)
    login = {"type": "authorized_user", "client_id": "a", "client_secret": "b", "refresh_token": "c"}
    (tmp_path / "login.json").write_text(json.dumps({**login, "quota_project_id": "my-project"}))
    with socket.create_server(("127.0.0.1", 0)) as free:
        probe = f"127.0.0.1:{free.getsockname()[1]}"
    command = provisioner.command(
        *("--leader-elect", f"--health-probe-bind-address={probe}", "--metrics-bind-address=0"),
        environment={**ENVIRONMENT, "KUBECONFIG": "/config", "GOOGLE_APPLICATION_CREDENTIALS": "/login.json"},
        volumes={tmp_path / "config": "/config", tmp_path / "login.json": "/login.json"},
        network=True,
    )
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        until(lambda: is_ready(f"http://{probe}/readyz") or running.poll() is not None)
        until(lambda: bool(holder(lab)) or running.poll() is not None)
        assert running.poll() is None, running.stderr and running.stderr.read()
        os.kill(first_process(running.pid), signal.SIGTERM)
        _, said = running.communicate(timeout=60)
    servers.close()
    assert running.returncode == 0, said
    assert "Traceback" not in said
    assert holder(lab) == "", "whoever comes next need not wait"


def holder(lab: Lab) -> str:
    lease = lab.api.get(LEASE, HOME, "slice-provisioner")
    return str(lease["spec"]["holderIdentity"]) if lease else ""


def is_ready(address: str) -> bool:
    with suppress(URLError, ConnectionError), urlopen(address) as answer:  # noqa: S310 - one of ours
        return int(answer.status) == 200
    return False
