"""`clusterprint env-file`: env files of the old container become blueprints, all problems said at once."""

from pathlib import Path

import pytest
from support import Run

from clusterprint.importing.envfile import read, read_environment, translate
from clusterprint.load import load_text

# As the container's first documentation has it.
FIRST = """\
ACTION=Create
PROJECT_ID=supercomputer-testing
NAME_PREFIX=spani
REGION=us-central1
ZONE=us-central1-f
INSTANCE_COUNT=1
GPU_COUNT=2
VM_TYPE=a2-highgpu-2g
METADATA={ key1 = "val", key2 = "a \\"b\\"" }
CLEANUP_ON_EXIT=no
GCS_PATH=gs://spani-tst/clusters
COPY_DIR_PATH=./scripts
STARTUP_SCRIPT=bash /usr/cp/gpu-report.sh
SETUP_RAY=yes
"""
LAST = """\
# the last version
ACTION=destroy
PROJECT_ID=my-gpu-project
NAME_PREFIX=last
ZONE=us-central1-a
VM_TYPE=n1-standard-16
ACCELERATOR_TYPE=nvidia-tesla-t4
GPU_COUNT=2
IMAGE_FAMILY_NAME=common-cu124
IMAGE_PROJECT=deeplearning-platform-release
DISK_SIZE_GB=500
DISK_TYPE=pd-ssd
LABELS={ team = "ml" }
TERRAFORM_GCS_PATH=gs://my-terraform-state
GCS_MOUNT_LIST=data-one:/mnt/one, data-two:/mnt/two
NFS_FILESTORE_LIST=/data/nfs:BASIC_SSD,/fast:high_scale_ssd:10240
NETWORK_CONFIG=new_network
ENABLE_OPS_AGENT=true
ENABLE_NOTEBOOK=yes
SHOW_PROXY_URL=yes
STARTUP_COMMAND="nvidia-smi"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "gpu-report.sh").write_text("nvidia-smi\n")
    return tmp_path


def test_the_first_version_becomes_a_blueprint(clusterprint: Run, folder: Path) -> None:
    (folder / "env.list").write_text(FIRST)
    done = clusterprint("env-file", "env.list", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "wrote spani.yaml\nnext: clusterprint up spani.yaml\n"
    document = load_text((folder / "spani.yaml").read_bytes(), "spani.yaml", folder).document
    assert document
    assert document.data == {
        "clusterprint": "v1",
        "kind": "vm",
        "name": "spani",
        "project": "supercomputer-testing",
        "region": "us-central1",
        "zone": "us-central1-f",
        "backend": {"gcs": {"bucket": "spani-tst", "prefix": "clusters"}},
        "nodes": {"count": 1, "machine_type": "a2-highgpu-2g"},
        "metadata": {"key1": "val", "key2": 'a "b"'},
        "files": [{"source": "./scripts", "destination": "/usr/aiinfra/copy"}],
        "startup_script": {"inline": "#!/bin/bash\nbash /usr/cp/gpu-report.sh\n"},
        "bootstrap": {"ray": {}},
    }
    again = clusterprint("env-file", "env.list", cwd=folder)
    assert (again.returncode, "nothing is overwritten" in again.stderr) == (2, True)


def test_the_last_version_says_what_it_leaves_out(clusterprint: Run, folder: Path) -> None:
    (folder / "env.list").write_text(LAST)
    done = clusterprint("env-file", "env.list", "--out", "vm.yaml", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "env.list:17: warning: NETWORK_CONFIG is left out" in done.stderr
    assert done.stdout.endswith("next: clusterprint down vm.yaml\n")
    document = load_text((folder / "vm.yaml").read_bytes(), "vm.yaml", folder).document
    assert document
    assert document.data["nodes"] == {
        "guest_accelerator": {"type": "nvidia-tesla-t4", "count": 2},
        "machine_type": "n1-standard-16",
        "image": {"project": "deeplearning-platform-release", "family": "common-cu124"},
        "boot_disk": {"size_gb": 500, "type": "pd-ssd"},
    }
    assert document.data["notebook"] == {}
    assert "env.list:20: warning: SHOW_PROXY_URL is left out: a notebook has no public address" in done.stderr
    assert document.data["region"] == "us-central1"
    assert document.data["storage"]["buckets"][1] == {"name": "data-two", "mount": "/mnt/two"}
    assert document.data["startup_script"]["inline"].endswith("\nnvidia-smi\n")
    home = {
        "name": "data-nfs",
        "kind": "filestore",
        "mount": "/data/nfs",
        "tier": "basic_ssd",
        "size_gb": 2560,
    }
    assert document.data["storage"]["volumes"][0] == home
    assert document.data["storage"]["volumes"][1]["tier"] == "zonal"


def test_all_problems_are_said_at_once_with_their_lines(clusterprint: Run, folder: Path) -> None:
    (folder / "env.list").write_text(
        "ACTION=Launch\nPROJECT_ID=p-roject\nNAME_PREFX=x\nINSTANCE_COUNT=two\nGPU_COUNT=8\n"
        "METADATA={ a = b }\nwhat is this\nZONE\nCOPY_DIR_PATH=/usr/input\nGCS_PATH=gs://bucket/\nPROJECT_ID=other\n"
        "ORCHESTRATOR_TYPE=slurm\nCLEANUP_ON_EXIT=maybe\nGCS_MOUNT_LIST=data\n"
    )
    done = clusterprint("env-file", "env.list", cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    said = [line for line in done.stderr.splitlines() if line.startswith("env.list")]
    assert [line.split(":")[1].strip() for line in said] == ["error"] * 2 + [
        *("1", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14"),
    ]
    assert "env.list:3: error: no version of the container knows NAME_PREFX" in done.stderr
    assert "    did you mean NAME_PREFIX?" in done.stderr
    assert "env.list:12: error: Slurm is not supported: kind gke queues jobs with Kueue" in done.stderr
    assert "env.list:5: error: GPU_COUNT is 8, but a2-highgpu-2g has 2" in done.stderr
    assert [each.name for each in folder.iterdir() if each.suffix == ".yaml"] == []


def test_what_only_the_blueprint_shows_is_said_beside_it(clusterprint: Run, folder: Path) -> None:
    (folder / "env.list").write_text(
        "ACTION=create\nPROJECT_ID=my-proj\nNAME_PREFIX=Bad_Prefix\nZONE=us-central1\n"
        "INSTANCE_COUNT=two\nDISK_TYPE=foo\n"
    )
    done = clusterprint("env-file", "env.list", cwd=folder)
    assert done.returncode == 1
    lines = [line.split(":")[1] for line in done.stderr.splitlines() if ": error: " in line]
    assert dict.fromkeys(lines) == dict.fromkeys("3456")
    assert "name: 'Bad_Prefix' is not a cluster name" in done.stderr
    assert "env.list:6: error: nodes.boot_disk.type is 'foo'" in done.stderr


def test_defaults_that_will_be_laid_under_it_count(clusterprint: Run, folder: Path) -> None:
    (folder / "env.list").write_text(FIRST)
    (folder / "clusterprint.defaults.yaml").write_text("network: {existing: {nme: shared}}\n")
    done = clusterprint("env-file", "env.list", cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert "env.list: error: clusterprint.defaults.yaml:1: unknown key 'nme'" in done.stderr
    assert not (folder / "spani.yaml").exists()


def test_what_validate_says_stands_at_the_line_of_the_variable(clusterprint: Run, folder: Path) -> None:
    text = FIRST.replace("ZONE=us-central1-f", "ZONE=us-east4-b").replace("=spani\n", "=Spani\n")
    (folder / "env.list").write_text(text)
    done = clusterprint("env-file", "env.list", cwd=folder)
    assert done.returncode == 1
    assert (
        "env.list:5: error: zone us-east4-b is in region us-east4, not in us-central1 (GCP001)" in done.stderr
    )
    assert any(line.startswith("env.list:3: error: ") for line in done.stderr.splitlines())
    assert not (folder / "Spani.yaml").exists()


@pytest.mark.parametrize(("content", "code"), [(None, 2), (b"\xff\xfe", 2), (b"", 1), (b"A" * 2_000_000, 2)])
def test_files_that_are_none(clusterprint: Run, folder: Path, content: bytes | None, code: int) -> None:
    if content is not None:
        (folder / "env.list").write_bytes(content)
    done = clusterprint("env-file", "env.list", cwd=folder)
    assert (done.returncode, done.stdout) == (code, "")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("lines", "family"),
    [
        ("IMAGE_NAME=old", {"project": "ml-images", "family": "old"}),
        ("IMAGE_NAME=new\nIMAGE_PROJECT=mine", {"project": "mine", "name": "new"}),
        ("IMAGE_NAME=new\nIMAGE_FAMILY_NAME=fam", {"project": "ml-images", "family": "fam"}),
    ],
)
def test_what_image_name_meant_depends_on_the_version(lines: str, family: dict[str, str]) -> None:
    variables, findings = read(lines)
    assert findings == []
    assert translate(variables).data["nodes"]["image"] == family


# ---- --run


def test_the_action_runs_and_runs_again_on_the_same_blueprint(clusterprint: Run, folder: Path) -> None:
    (folder / "env.list").write_text(FIRST.replace("ACTION=Create", "ACTION=validate"))
    first = clusterprint("env-file", "env.list", "--run", cwd=folder)
    assert first.returncode == 0, first.stderr
    assert "wrote spani.yaml" in first.stdout
    assert "1 blueprint checked" in first.stdout
    again = clusterprint("env-file", "env.list", "--run", cwd=folder)
    assert "spani.yaml exists already, with the same content" in again.stdout
    (folder / "spani.yaml").write_text("clusterprint: v1\n")
    other = clusterprint("env-file", "env.list", "--run", cwd=folder)
    assert (other.returncode, "nothing is overwritten" in other.stderr) == (2, True)


@pytest.mark.parametrize(
    ("lines", "command"),
    [
        ("ACTION=Create", "up spani.yaml"),
        ("ACTION=create\nCLEANUP_ON_EXIT=no", "up spani.yaml"),
        ("ACTION=create\nCLEANUP_ON_EXIT=yes", "up --ephemeral --for 300s spani.yaml"),
        ("ACTION=create\nCLEANUP_ON_EXIT=yes\nSLEEP_DURATION_SEC=60", "up --ephemeral --for 60s spani.yaml"),
        ("ACTION=destroy\nCLEANUP_ON_EXIT=yes", "down spani.yaml"),
        ("ACTION=plan", "up --plan-only spani.yaml"),
    ],
)
def test_actions_and_their_commands(clusterprint: Run, folder: Path, lines: str, command: str) -> None:
    text = FIRST.replace("ACTION=Create", lines).replace("CLEANUP_ON_EXIT=no\nGCS", "GCS")
    (folder / "env.list").write_text(text)
    done = clusterprint("env-file", "env.list", cwd=folder)
    assert done.stdout.endswith(f"next: clusterprint {command}\n"), done.stderr


def test_a_run_without_an_action_and_a_pause_that_is_none(clusterprint: Run, folder: Path) -> None:
    text = FIRST.replace("ACTION=Create\n", "SLEEP_DURATION_SEC=soon\n")
    (folder / "env.list").write_text(text)
    done = clusterprint("env-file", "env.list", "--run", cwd=folder)
    assert done.returncode == 1
    assert "env.list: error: ACTION is missing" in done.stderr
    assert "env.list:1: error: SLEEP_DURATION_SEC is not a number of seconds: 'soon'" in done.stderr
    assert not (folder / "spani.yaml").exists()


def test_options_that_say_nothing_are_wrong_usage(clusterprint: Run, folder: Path) -> None:
    for words in ((), ("env.list", "--environment"), ("env.list", "--yes"), ("env.list", "--simulate", "s")):
        assert clusterprint("env-file", *words, cwd=folder).returncode == 2, words


def test_variables_come_from_the_environment_where_docker_puts_them() -> None:
    around = {
        "HOME": "/",
        "PATH": "/bin",
        "HOSTNAME": "a",
        "PYTHON_VERSION": "3",
        "GPG_KEY": "k",
        "LANG": "C",
    }
    given = {"NAME_PREFIX": '"spani"', "ZONE": "", "INSTANCE_COUNTS": "4"}
    variables, findings = read_environment(around | given)
    assert {name: each.value for name, each in variables.items()} == {"NAME_PREFIX": "spani"}
    (mistyped,) = findings
    assert (mistyped.severity, mistyped.file) == ("warning", "environment variable INSTANCE_COUNTS")
    assert mistyped.help == "did you mean INSTANCE_COUNT?"


def test_problems_in_the_environment_name_their_variables(clusterprint: Run, folder: Path) -> None:
    given = {
        "ACTION": "Launch",
        "PROJECT_ID": "my-gpu-project",
        "NAME_PREFIX": "spani",
        "ZONE": "us-central1-f",
    }
    done = clusterprint("env-file", "--environment", "--run", cwd=folder, env={**given, "REGION": "us-east4"})
    assert done.returncode == 1
    assert "environment variable ACTION: error: there is no action 'Launch'" in done.stderr
    assert "environment variable ZONE: error: zone us-central1-f is in region us-central1" in done.stderr
    right = {**given, "ACTION": "create", "REGION": "us-east4"}
    done = clusterprint("env-file", "--environment", "--run", cwd=folder, env=right)
    assert "environment variable ZONE: error: zone us-central1-f is in region us-central1" in done.stderr


@pytest.mark.slow
@pytest.mark.terraform
def test_an_env_file_is_made_and_cleaned_up(clusterprint: Run, folder: Path) -> None:
    lines = "ACTION=create\nCLEANUP_ON_EXIT=yes\nSLEEP_DURATION_SEC=1"
    (folder / "env.list").write_text(
        FIRST.replace("ACTION=Create", lines).replace("CLEANUP_ON_EXIT=no\n", "")
    )
    done = clusterprint("env-file", "env.list", "--run", "--yes", "--simulate", "cloud", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "The cluster stays up until" in done.stderr
    assert "everything that was created is destroyed" in done.stderr
