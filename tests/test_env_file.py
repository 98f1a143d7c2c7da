"""`clusterprint env-file`: env files of the old container become blueprints, all problems said at once."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clouds import Clouds, login_file, served
from support import Run

from clusterprint.importing import formats
from clusterprint.importing.envfile import read, read_environment, translate
from clusterprint.importing.formats import Text
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


@pytest.fixture
def clouds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clouds]:
    """A Cloud Storage in which there is no bucket."""
    found = Clouds()
    with served(found) as address:
        monkeypatch.setenv("CLUSTERPRINT_GOOGLE_API", address)
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(login_file(tmp_path, address)))
        yield found


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


@pytest.mark.parametrize(
    ("machine", "wanted", "networks"),
    [
        ("n1-standard-16", "multi_nic_network", 4),
        ("n1-standard-16", "default_network", None),
        ("a3-highgpu-8g", "multi_nic_network", None),
    ],
)
def test_several_networks_are_extra_ones_unless_the_machines_bring_theirs(
    clusterprint: Run, folder: Path, machine: str, wanted: str, networks: int | None
) -> None:
    text = LAST.replace("=new_network", f"={wanted}").replace("=n1-standard-16", f"={machine}")
    text = text.replace("ACCELERATOR_TYPE=nvidia-tesla-t4\nGPU_COUNT=2\n", "")
    (folder / "env.list").write_text(text)
    done = clusterprint("env-file", "env.list", "--out", "vm.yaml", cwd=folder)
    document = load_text((folder / "vm.yaml").read_bytes(), "vm.yaml", folder).document
    assert document, done.stderr
    assert document.data["nodes"].get("extra_networks") == networks
    assert ("NETWORK_CONFIG is left out" in done.stderr) == (networks is None)


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
    two = {"name": "mnt-two", "kind": "bucket", "bucket": "data-two", "create": False, "mount": "/mnt/two"}
    assert document.data["storage"]["volumes"][1] == two
    assert document.data["startup_script"]["inline"].endswith("\nnvidia-smi\n")
    home = {
        "name": "data-nfs",
        "kind": "filestore",
        "mount": "/data/nfs",
        "tier": "basic_ssd",
        "size_gb": 2560,
    }
    assert document.data["storage"]["volumes"][2] == home
    assert document.data["storage"]["volumes"][3]["tier"] == "zonal"


@pytest.mark.parametrize("project", ["ml-images", "deeplearning-platform-release"])
def test_an_image_that_installs_no_driver_is_told(project: str, clusterprint: Run, folder: Path) -> None:
    image = "IMAGE_PROJECT=deeplearning-platform-release"
    (folder / "env.list").write_text(LAST.replace(image, f"IMAGE_PROJECT={project}"))
    done = clusterprint("env-file", "env.list", "--out", "vm.yaml", cwd=folder)
    assert "env.list:9: warning: a Deep Learning VM image installs no GPU driver" in done.stderr


@pytest.mark.parametrize("kind", ["ray", "Slurm"])
def test_an_orchestrator_is_a_part_of_bootstrap(kind: str) -> None:
    text = "ACTION=create\nPROJECT_ID=my-project\nNAME_PREFIX=a\nZONE=us-central1-a\n"
    texts = [Text("env.list", f"{text}ORCHESTRATOR_TYPE={kind}\n")]
    translated = formats.translate(texts, "env-file", {})
    assert (translated.data["bootstrap"], translated.findings) == ({kind.lower(): {}}, [])


def test_all_problems_are_said_at_once_with_their_lines(clusterprint: Run, folder: Path) -> None:
    (folder / "env.list").write_text(
        "ACTION=Launch\nPROJECT_ID=p-roject\nNAME_PREFX=x\nINSTANCE_COUNT=two\nGPU_COUNT=8\n"
        "METADATA={ a = b }\nwhat is this\nZONE\nCOPY_DIR_PATH=/usr/input\nGCS_PATH=gs://bucket/\nPROJECT_ID=other\n"
        "ORCHESTRATOR_TYPE=gke\nCLEANUP_ON_EXIT=maybe\nGCS_MOUNT_LIST=data\n"
    )
    done = clusterprint("env-file", "env.list", cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    said = [line for line in done.stderr.splitlines() if line.startswith("env.list")]
    assert [line.split(":")[1].strip() for line in said] == ["error"] * 2 + [
        *("1", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14"),
    ]
    assert "env.list:3: error: no version of the container knows NAME_PREFX" in done.stderr
    assert "    did you mean NAME_PREFIX?" in done.stderr
    assert "env.list:12: error: ORCHESTRATOR_TYPE gke becomes no machines" in done.stderr
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


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("gs://spani-tst", {"bucket": "spani-tst"}),
        ("gs://spani-tst/x", {"bucket": "spani-tst", "prefix": "x"}),
        ("gs://spani-tst/a/b", {"bucket": "spani-tst", "prefix": "a/b"}),
        ("gs://spani-tst/", None),
        ("gs://spani-tst/a/", None),
        ("s3://spani-tst/a", None),
    ],
)
def test_where_the_state_is_may_have_a_folder(path: str, where: dict[str, str] | None) -> None:
    translated = translate(read(f"GCS_PATH={path}\n")[0])
    said = any("GCS_PATH is not gs://bucket/folder" in each.message for each in translated.findings)
    assert (translated.data.get("backend", {}).get("gcs"), said) == (where, where is None)


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


def test_an_edited_env_file_updates_the_blueprint_that_nobody_edited(clusterprint: Run, folder: Path) -> None:
    """The only way of the container to resize a cluster."""
    file, target = folder / "env.list", folder / "spani.yaml"
    file.write_text(FIRST.replace("ACTION=Create", "ACTION=validate"))
    assert clusterprint("env-file", "env.list", cwd=folder).returncode == 0  # to look at it first
    assert clusterprint("env-file", "env.list", "--run", cwd=folder).returncode == 0
    file.write_text(file.read_text().replace("INSTANCE_COUNT=1", "INSTANCE_COUNT=2"))
    done = clusterprint("env-file", "env.list", "--run", cwd=folder)
    assert (done.returncode, "updated spani.yaml" in done.stdout) == (0, True), done.stderr
    assert "  count: 2\n" in target.read_text()

    target.write_text(target.read_text().replace("count: 2", "count: 3"))
    kept = target.read_text()
    refused = clusterprint("env-file", "env.list", "--run", cwd=folder)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "-  count: 3\n+  count: 2\n" in refused.stderr
    assert "spani.yaml was not written by --run or was edited since" in refused.stderr
    assert target.read_text() == kept
    target.unlink()  # the way out that it names
    assert clusterprint("env-file", "env.list", "--run", cwd=folder).returncode == 0


@pytest.mark.parametrize("edited", ["env file", "blueprint"])
def test_a_cluster_is_destroyed_after_an_edit_too(clusterprint: Run, folder: Path, edited: str) -> None:
    file, target = folder / "env.list", folder / "spani.yaml"
    file.write_text(FIRST.replace("ACTION=Create", "ACTION=validate"))
    assert clusterprint("env-file", "env.list", "--run", cwd=folder).returncode == 0
    place = file if edited == "env file" else target
    place.write_text(
        place.read_text().replace("INSTANCE_COUNT=1", "INSTANCE_COUNT=2").replace("count: 1", "count: 2")
    )
    before = target.read_text()
    file.write_text(file.read_text().replace("ACTION=validate", "ACTION=destroy"))
    done = clusterprint("env-file", "env.list", "--run", "--simulate", "cloud", "--yes", cwd=folder)
    assert "spani.yaml exists already: what it describes is destroyed" in done.stdout
    assert "$ clusterprint down spani.yaml --yes" in done.stderr
    assert target.read_text() == before
    file.write_text(file.read_text().replace("spani-tst", "other-tst"))
    if edited == "blueprint":  # it may be of another cluster
        done = clusterprint("env-file", "env.list", "--run", "--simulate", "cloud", "--yes", cwd=folder)
        assert (done.returncode, "clusterprint down" in done.stderr) == (2, False)


IN_CONTAINER = {
    "ACTION": "validate",
    "PROJECT_ID": "my-gpu-project",
    "NAME_PREFIX": "spani",
    "ZONE": "us-central1-f",
    "VM_TYPE": "a2-highgpu-2g",
    "GCS_PATH": "gs://spani-tst/clusters",
}


def test_files_of_the_container_are_copied_beside_the_blueprint(clusterprint: Run, tmp_path: Path) -> None:
    """As with `--volume DIR:/usr/cp` and COPY_DIR_PATH=/usr/cp."""
    mounted, work = tmp_path / "usr" / "cp", tmp_path / "work"
    (mounted / "deep").mkdir(parents=True)
    work.mkdir()
    program = mounted / "deep" / "run.sh"
    program.write_text("true\n")
    program.chmod(0o755)
    start = tmp_path / "usr" / "start.sh"
    start.write_text("#!/bin/bash\ntrue\n")
    given = {**IN_CONTAINER, "COPY_DIR_PATH": str(mounted), "STARTUP_SCRIPT_PATH": str(start)}

    def ran() -> Any:
        return clusterprint("env-file", "--environment", "--run", cwd=work, env=given)

    done = ran()
    assert done.returncode == 0, done.stderr
    document = load_text((work / "spani.yaml").read_bytes(), "spani.yaml", work).document
    assert document
    assert document.data["files"] == [{"source": "./cp", "destination": "/usr/aiinfra/copy"}]
    assert document.data["startup_script"] == {"file": "./start.sh"}
    copy = work / "cp" / "deep" / "run.sh"
    assert (copy.read_text(), bool(copy.stat().st_mode & 0o100)) == ("true\n", True)
    assert "with the same content" in ran().stdout

    program.write_text("false\n")  # what is mounted has changed: the copy follows
    assert "updated spani.yaml" in ran().stdout
    assert copy.read_text() == "false\n"

    copy.write_text("mine\n")  # but not over what somebody has made of it
    refused = ran()
    assert (refused.returncode, copy.read_text()) == (2, "mine\n")
    assert "cp is not the copy of" in refused.stderr
    shutil.rmtree(work / "cp")  # the way out that it names
    assert ran().returncode == 0
    assert copy.read_text() == "false\n"


def test_nothing_is_copied_that_a_link_leads_to_or_for_a_blueprint_with_errors(
    clusterprint: Run, tmp_path: Path
) -> None:
    mounted, work = tmp_path / "cp", tmp_path / "work"
    mounted.mkdir()
    work.mkdir()
    (mounted / "a").write_text("a")
    given = {**IN_CONTAINER, "COPY_DIR_PATH": str(mounted), "ZONE": "nowhere"}
    done = clusterprint("env-file", "--environment", "--run", cwd=work, env=given)
    assert (done.returncode, [*work.iterdir()]) == (1, [])
    (mounted / "link").symlink_to("/etc/hostname")
    done = clusterprint(
        "env-file", "--environment", "--run", cwd=work, env={**given, "ZONE": "us-central1-f"}
    )
    assert (done.returncode, [*work.iterdir()]) == (2, [])
    assert "link leads out of" in done.stderr


def test_a_path_of_the_container_is_not_read_for_a_file_that_says_so(clusterprint: Run, folder: Path) -> None:
    """An env file may be anybody's: it does not have files of this machine copied."""
    text = FIRST.replace("./scripts", str(folder / "scripts"))
    (folder / "env.list").write_text(text)
    done = clusterprint("env-file", "env.list", cwd=folder)
    assert done.returncode == 1
    assert "write COPY_DIR_PATH=./scripts" in done.stderr
    (folder / "env.list").write_text(FIRST)  # the way out that it names
    assert clusterprint("env-file", "env.list", cwd=folder).returncode == 0


@pytest.mark.parametrize(("answer", "made"), [(("--yes",), 1), ((), 0)])
def test_the_bucket_that_is_the_default_is_created_by_a_run(
    clusterprint: Run, clouds: Clouds, folder: Path, answer: tuple[str, ...], made: int
) -> None:
    text = FIRST.replace("GCS_PATH=gs://spani-tst/clusters\n", "")
    (folder / "env.list").write_text(text)
    none = {"PATH": str(folder)}  # nothing that could apply
    done = clusterprint("env-file", "env.list", "--run", *answer, cwd=folder, env=none)
    assert "$ clusterprint init state spani.yaml" in done.stderr
    assert "Create gs://spani-tf-bucket in us-central1 for the state, unless it exists?" in done.stderr
    assert [body["name"] for _, body in clouds.bodies] == ["spani-tf-bucket"] * made
    assert ("$ clusterprint up spani.yaml --yes" in done.stderr) == bool(made)
    assert done.returncode != 0


def test_no_bucket_is_created_where_one_is_named(clusterprint: Run, clouds: Clouds, folder: Path) -> None:
    (folder / "env.list").write_text(FIRST)
    done = clusterprint("env-file", "env.list", "--run", "--yes", cwd=folder, env={"PATH": str(folder)})
    assert ("init state" in done.stderr, clouds.bodies) == (False, [])


@pytest.mark.parametrize(
    ("value", "pairs"),
    [
        ('{"key1": "val", "key2" = "b"}', {"key1": "val", "key2": "b"}),
        ('{key1: "val"}', {"key1": "val"}),
        (
            '{ a = "x", b = 7, c = true, d = 1.5, e = 1e3 }',
            {"a": "x", "b": "7", "c": "true", "d": "1.5", "e": "1000"},
        ),
        ('{ "a-b" = "say \\"hi\\"" }', {"a-b": 'say "hi"'}),
        ("{}", None),
    ],
)
def test_maps_are_read_as_terraform_reads_them(value: str, pairs: dict[str, str] | None) -> None:
    variables, findings = read(f"METADATA={value}\nLABELS={value}\n")
    translated = translate(variables)
    assert findings == []
    assert not [each for each in translated.findings if "is not a map" in each.message]
    assert (translated.data.get("metadata"), translated.data.get("labels")) == (pairs, pairs)


@pytest.mark.parametrize(
    "value", ["{a = b}", "{a = [1]}", "a=b", '["a"]', '{a = "${b}"}', "{", '{a = {b = "c"}}']
)
def test_what_is_no_map_is_told(value: str) -> None:
    translated = translate(read(f"METADATA={value}\n")[0])
    assert any("METADATA is not a map such as" in each.message for each in translated.findings)


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
