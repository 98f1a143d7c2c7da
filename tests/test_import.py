"""`clusterprint import`: what other tools were told about a cluster becomes a blueprint."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from imported import INPUTS, line_of
from support import ROOT, Run

from clusterprint.importing.formats import Text, translate
from clusterprint.importing.source import Source
from clusterprint.importing.toolkit.expressions import Unresolved, Variables
from clusterprint.load import load_text

CLUSTER = ("training-cluster.yaml", "training-cluster-deployment.yaml")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(INPUTS, tmp_path, dirs_exist_ok=True)
    return tmp_path


def said(stderr: str, severity: str) -> list[tuple[str, int]]:
    """The file and line of everything that was said with a severity."""
    lines = [line.split(":") for line in stderr.splitlines() if f": {severity}: " in line]
    return [(parts[0], int(parts[1])) for parts in lines]


def data_of(file: Path) -> Any:
    loaded = load_text(file.read_bytes(), file.name, file.parent)
    assert loaded.document
    return loaded.document.data


# ---- Cluster Toolkit


def test_each_input_without_a_counterpart_is_an_error_at_its_line(clusterprint: Run, folder: Path) -> None:
    done = clusterprint("import", *CLUSTER, cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    networks = line_of(CLUSTER[0], "specific_reservations: ") + 1
    lost = [networks, *(line_of(CLUSTER[0], text) for text in ("kueue: {", "id: hello"))]
    assert said(done.stderr, "error") == [(CLUSTER[0], line) for line in lost]
    assert done.stderr.endswith(
        "3 errors: nothing is written\nall of them have no counterpart; --lossy leaves them out\n"
    )
    assert not (folder / "training.yaml").exists()


def test_with_lossy_they_are_comments_and_the_rest_means_the_same(clusterprint: Run, folder: Path) -> None:
    done = clusterprint("import", *CLUSTER, "--lossy", cwd=folder)
    assert (done.returncode, done.stdout) == (
        0,
        "wrote training.yaml\nnext: clusterprint show training.yaml\n",
    )
    text = (folder / "training.yaml").read_text()
    assert "# Left out: training-cluster.yaml:117: hello (compute/gke-job-template): it only writes" in text
    data = data_of(folder / "training.yaml")
    assert data["backend"] == {"gcs": {"bucket": "my-terraform-state"}}
    assert data["network"] == {
        "node_cidr": "192.168.0.0/18",
        "pod_cidr": "10.4.0.0/14",
        "service_cidr": "10.0.32.0/20",
    }
    assert data["cluster"]["authorized_networks"] == [{"name": "office", "cidr": "198.51.100.0/24"}]
    assert data["cluster"]["maintenance"]["exclusions"] == [
        {
            "name": "no-upgrades",
            "start": "2026-12-01T00:00:00Z",
            "until_end_of_support": True,
            "scope": "no_minor_or_node_upgrades",
        }
    ]
    assert data["node_pools"] == [
        {
            "name": "h200",
            "machine_type": "a3-ultragpu-8g",
            "count": 4,
            "capacity": {"model": "reservation", "reservation": "my-h200-block"},
            "zones": ["us-central1-b"],
            "boot_disk": {"size_gb": 100},
            "gpu": {"driver": "default"},
        }
    ]
    assert data["storage"]["volumes"] == [
        {
            "name": "checkpoints",
            "kind": "bucket",
            "hierarchical_namespace": True,
            "name_suffix": "random",
            "profile": "checkpoints",
        }
    ]
    assert data["workloads"] == {"kueue": {}, "jobset": {}}
    assert clusterprint("synth", "training.yaml", "--out", "out", cwd=folder).returncode == 0


def test_machines_with_a_home(clusterprint: Run, folder: Path) -> None:
    done = clusterprint("import", "training-vms.yaml", "--lossy", "--out", "vms.yaml", cwd=folder)
    assert done.returncode == 0
    assert said(done.stderr, "warning") == [("training-vms.yaml", line_of("training-vms.yaml", "tune.sh"))]
    data = data_of(folder / "vms.yaml")
    assert data["nodes"]["capacity"] == {"model": "reservation", "reservation": "my-h200-block"}
    assert data["cluster"] == {"ssh": True}
    assert data["wait"] == {"until": "ready", "timeout": "7200s"}
    assert data["storage"]["volumes"] == [
        {"name": "homefs", "kind": "filestore", "mount": "/home", "tier": "zonal", "size_gb": 10240}
    ]


def test_several_modules_of_machines_are_groups_with_what_is_theirs() -> None:
    machines = "source: modules/compute/vm-instance, use: [setup], settings: {machine_type: "
    text = f"""\
blueprint_name: groups
vars: {{project_id: my-project, deployment_name: groups, region: us-central1, zone: us-central1-a}}
deployment_groups:
- modules:
  - {{id: setup, source: modules/scripts/startup-script, settings: {{install_docker: true, runners: [{{}}]}}}}
  - {{id: login, {machines} n2-standard-4, metadata: {{a: b}}}}}}
  - {{id: work, {machines} c2-standard-60, instance_count: 4, spot: true}}}}
  - {{id: batch, source: modules/scheduler/batch-job-template, settings: {{a: 1}}}}
"""
    translated = translate([Text("x.yaml", text)], None, {})
    assert [(each.line, each.severity) for each in translated.findings] == [
        (5, "loss"),
        (6, "loss"),
        (8, "loss"),
    ]
    login, work = translated.data["node_groups"]
    assert login == {
        "name": "login",
        "machine_type": "n2-standard-4",
        "count": 1,
        "image": {"project": "cloud-hpc-image-public", "family": "hpc-rocky-linux-8"},
        "boot_disk": {"type": "pd-standard"},
        "threads_per_core": 1,
        "docker": True,
    }
    assert (work["count"], work["capacity"], work["docker"]) == (4, {"model": "spot"}, True)


def test_a_file_that_is_there_is_not_overwritten(clusterprint: Run, folder: Path) -> None:
    before = (folder / "training-vms.yaml").read_text()
    done = clusterprint("import", "training-vms.yaml", "--lossy", cwd=folder)
    assert (done.returncode, "nothing is overwritten" in done.stderr) == (2, True)
    assert (folder / "training-vms.yaml").read_text() == before


def test_a_variable_without_a_value_is_asked_for(clusterprint: Run, folder: Path) -> None:
    done = clusterprint("import", CLUSTER[0], "--lossy", cwd=folder)
    assert done.returncode == 1
    assert (
        "vars.project_id has no value\n    give it with --var project_id=..., or in a deployment"
        in done.stderr
    )
    assert "reservation_affinity of h200: vars.reservation has no value" in done.stderr
    given = [*CLUSTER, "--var", "reservation=other-block", "--lossy"]
    assert clusterprint("import", *given, cwd=folder).returncode == 0
    capacity = data_of(folder / "training.yaml")["node_pools"][0]["capacity"]
    assert capacity["reservation"] == "other-block"


def test_a_zone_without_a_value_is_asked_for(clusterprint: Run, folder: Path) -> None:
    file = folder / "training-vms.yaml"
    file.write_text(file.read_text().replace("zone: europe-west1-b", "zone:"))
    given = ("import", file.name, "--lossy", "--out", "vms.yaml")
    done = clusterprint(*given, cwd=folder)
    line = line_of("training-vms.yaml", "region:") + 1
    assert f"{file.name}:{line}: error: vars.zone has no value\n    give it with --var zone=" in done.stderr
    assert clusterprint(*given, "--var", "zone=europe-west1-b", cwd=folder).returncode == 0


def test_what_validate_says_stands_at_the_line_of_the_input(clusterprint: Run, folder: Path) -> None:
    file = folder / "training-vms.yaml"
    file.write_text(file.read_text().replace("zone: europe-west1-b", "zone: us-east4-b"))
    done = clusterprint("import", file.name, "--lossy", "--out", "vms.yaml", cwd=folder)
    line = line_of("training-vms.yaml", "zone: europe")
    assert (file.name, line) in said(done.stderr, "error")
    assert not (folder / "vms.yaml").exists()


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("$(vars.zone)", "z-1"),
        ("a-$(vars.zone)-b", "a-z-1-b"),
        ("$(vars.both)", "z-1/4"),
        (["$(vars.count)"], [4]),
        (r"\$(vars.zone)", "$(vars.zone)"),
    ],
)
def test_references_to_variables_are_what_they_say(value: Any, meant: Any) -> None:
    variables = Variables({"zone": "z-1", "count": 4, "both": "$(vars.zone)/$(vars.count)"})
    assert variables.resolve(value) == meant


@pytest.mark.parametrize(
    "value",
    ["$(vars.none)", "$(vars.loop)", "$(net.id)", '((flatten(["a"])))', "$(vars.empty)", "x-$(vars.list)"],
)
def test_what_only_terraform_knows_is_no_value(value: str) -> None:
    variables = Variables({"loop": "$(vars.loop)", "empty": None, "list": ["a"]})
    with pytest.raises(Unresolved):
        variables.resolve(value)


def test_what_nobody_took_is_told_as_whole_parts() -> None:
    data = {"a": {"b": 1, "c": {"d": 2, "e": 3}}, "f": [{"g": 1}, {"g": 2}], "h": None}
    source = Source("x.yaml", data, {})
    source.take(("a", "c", "d"))
    source.take(("f", 1))
    assert [*source.left()] == [("a", "b"), ("a", "c", "e"), ("f", 0)]


def test_a_script_is_written_as_lines(clusterprint: Run, folder: Path) -> None:
    done = clusterprint(
        "import", "task.yaml", "--var", "project=my-gpu-project", "--lossy", "-o", "out.yaml", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    lines = (folder / "out.yaml").read_text().splitlines()
    assert "  inline: |" in lines
    assert "    pip install torch" in lines


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("container.tfvars", ""),
        ("container-gke.tfvars", ""),
        ("mpi.tfvars", ""),
        ("azure.env", "SUBSCRIPTION=00000000-0000-0000-0000-000000000000"),
        ("create.sh", ""),
        ("task.yaml", "project=my-gpu-project"),
        ("ray.yaml", ""),
    ],
)
def test_what_is_written_holds(clusterprint: Run, folder: Path, name: str, given: str) -> None:
    (folder / "HPL.dat").write_text("HPL\n")
    shutil.copy(ROOT / "blueprints" / "cluster.pub", folder)
    var = ["--var", given] if given else []
    done = clusterprint("import", name, *var, "--lossy", "--out", "out.yaml", cwd=folder)
    assert (done.returncode, done.stdout.startswith("wrote out.yaml\n")) == (0, True), done.stderr
    assert clusterprint("validate", "out.yaml", cwd=folder).returncode == 0


@pytest.mark.parametrize("value", ["PROJECT_ID", "<your-project>", "YOUR-PROJECT"])
def test_a_placeholder_is_called_one(clusterprint: Run, folder: Path, value: str) -> None:
    done = clusterprint("import", *CLUSTER, "--lossy", "--var", f"project_id={value}", cwd=folder)
    assert done.returncode == 1
    assert f"--var project_id: error: project: '{value}' is not" in done.stderr
    assert "    this is a placeholder: write your own\n" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "#!/bin/bash\n#SBATCH --nodes=2\nsrun hostname\n",
        "ClusterName=a\nSlurmctldHost=head\nNodeName=n[1-2]\n",
    ],
)
def test_files_of_slurm_itself_are_not_imported_and_that_is_said_first(
    clusterprint: Run, folder: Path, text: str
) -> None:
    (folder / "slurm").write_text(text)
    done = clusterprint("import", "slurm", cwd=folder)
    assert done.returncode in (1, 2)
    assert (
        "error: Slurm is a part of kinds vm and vmss, as bootstrap.slurm, and its own files are not imported"
        in done.stderr.splitlines()[0]
    )


# ---- any file


@pytest.mark.parametrize("text", ["", "a: b\n", "\x00", "- 1\n", "just words\n"])
def test_a_file_of_no_format_is_refused(clusterprint: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "file").write_text(text)
    done = clusterprint("import", "file", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "has no known format" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "blueprint_name: [\n",
        "blueprint_name: x\n",
        "blueprint_name: x\ndeployment_groups: 7\nvars: []\n",
        "blueprint_name: x\ndeployment_groups: [7, {modules: [1, {id: a}, {}]}]\n",
        "blueprint_name: x\ndeployment_groups: [{modules: [{source: modules/a/b, settings: 3}]}]",
        "blueprint_name: &a [*a]\n",
    ],
)
def test_a_malformed_toolkit_file_is_told_without_a_crash(text: str) -> None:
    translated = translate([Text("x.yaml", text)], "toolkit", {})
    assert any(each.severity == "error" for each in translated.findings)


def test_no_secret_gets_into_a_comment(clusterprint: Run, folder: Path) -> None:
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA2cD4fG6"
    file = folder / "training-vms.yaml"
    file.write_text(file.read_text().replace("destination: tune.sh", f"destination: {token}"))
    done = clusterprint("import", file.name, "--lossy", "--out", "vms.yaml", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert token not in done.stderr + (folder / "vms.yaml").read_text()


def test_text_of_the_input_cannot_leave_its_comment(clusterprint: Run, folder: Path) -> None:
    file = folder / "training-vms.yaml"
    file.write_text(file.read_text().replace("destination: tune.sh", 'destination: "x\\nkind: gke #"'))
    done = clusterprint("import", file.name, "--lossy", "--out", "vms.yaml", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert data_of(folder / "vms.yaml")["kind"] == "vm"
