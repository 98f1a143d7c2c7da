"""`clusterprint import`: what other tools were told about a cluster becomes a blueprint."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, Run

from clusterprint.importing.formats import Text, translate
from clusterprint.importing.hcl import from_tfvars
from clusterprint.importing.source import Source
from clusterprint.importing.toolkit.expressions import Unresolved, resolve
from clusterprint.load import load_text

INPUTS = ROOT / "tests" / "data" / "importing"
CLUSTER = ("training-cluster.yaml", "training-cluster-deployment.yaml")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(INPUTS, tmp_path, dirs_exist_ok=True)
    return tmp_path


def said(stderr: str, severity: str) -> list[tuple[str, int]]:
    """The file and line of everything that was said with a severity."""
    lines = [line.split(":") for line in stderr.splitlines() if f": {severity}: " in line]
    return [(parts[0], int(parts[1])) for parts in lines]


def line_of(name: str, text: str) -> int:
    lines = (INPUTS / name).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def data_of(file: Path) -> Any:
    loaded = load_text(file.read_bytes(), file.name, file.parent)
    assert loaded.document
    return loaded.document.data


# ---- Cluster Toolkit


def test_each_input_without_a_counterpart_is_an_error_at_its_line(clusterprint: Run, folder: Path) -> None:
    done = clusterprint("import", *CLUSTER, cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    lost = ["kueue: {", "id: hello"]
    assert said(done.stderr, "error") == [(CLUSTER[0], line_of(CLUSTER[0], text)) for text in lost]
    assert done.stderr.endswith(
        "2 errors: nothing is written\nall of them are without a counterpart; --lossy goes without\n"
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
  - {{id: slurm, source: community/modules/scheduler/schedmd-slurm-gcp-v6-controller, settings: {{a: 1}}}}
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
    assert resolve(value, {"zone": "z-1", "count": 4, "both": "$(vars.zone)/$(vars.count)"}) == meant


@pytest.mark.parametrize(
    "value",
    ["$(vars.none)", "$(vars.loop)", "$(net.id)", '((flatten(["a"])))', "$(vars.empty)", "x-$(vars.list)"],
)
def test_what_only_terraform_knows_is_no_value(value: str) -> None:
    variables = {"loop": "$(vars.loop)", "empty": None, "list": ["a"]}
    with pytest.raises(Unresolved):
        resolve(value, variables)


def test_a_reference_that_doubles_itself_ends() -> None:
    variables = {f"v{number}": f"$(vars.v{number + 1})" * 10 for number in range(15)} | {"v15": "x" * 100}
    with pytest.raises(Unresolved):
        resolve("$(vars.v0)", variables)


def test_what_nobody_took_is_told_as_whole_parts() -> None:
    data = {"a": {"b": 1, "c": {"d": 2, "e": 3}}, "f": [{"g": 1}, {"g": 2}], "h": None}
    source = Source("x.yaml", data, {})
    source.take(("a", "c", "d"))
    source.take(("f", 1))
    assert [*source.left()] == [("a", "b"), ("a", "c", "e"), ("f", 0)]


# ---- files of variables


def meant(name: str, **given: str) -> tuple[Any, list[int]]:
    """The blueprint that a file means, and the lines of what it loses."""
    translated = translate([Text(name, (INPUTS / name).read_text())], None, given)
    assert not [each for each in translated.findings if each.severity == "error"]
    return translated.data, [each.line for each in translated.findings]


def test_groups_of_machines_of_the_container() -> None:
    data, lost = meant("container.tfvars")
    assert lost == [line_of("container.tfvars", "unheard_of")]
    assert (data["kind"], data["name"], data["zone"]) == ("vm", "research", "us-central1-a")
    assert data["nodes"] == {
        "machine_type": "a2-highgpu-8g",
        "count": 2,
        "boot_disk": {"type": "pd-ssd", "size_gb": 500},
        "image": {
            "project": "deeplearning-platform-release",
            "family": "pytorch-latest-gpu-debian-11-py310",
        },
    }
    assert [each["mount"] for each in data["storage"]["volumes"]] == ["/home", "/data"]
    assert data["startup_script"] == {"inline": "#!/bin/bash\nnvidia-smi\n"}


def test_pools_of_the_container() -> None:
    data, lost = meant("container-gke.tfvars")
    assert lost == []
    assert data["node_pools"] == [
        {
            "name": "pool-0",
            "machine_type": "a3-megagpu-8g",
            "count": 2,
            "zones": ["us-central1-a"],
            "boot_disk": {"size_gb": 300},
            "capacity": {"model": "reservation", "reservation": "my-h100-block"},
        }
    ]


def test_an_mpi_cluster_runs_the_same_command_in_as_many_processes() -> None:
    data, lost = meant("mpi.tfvars")
    assert lost == []
    assert data["node_pools"] == [{"name": "workers", "machine_type": "n2-standard-4", "count": 3}]
    job = data["workloads"]["mpi"]["jobs"][0]
    assert (job["workers"], job["slots_per_worker"], job["command"]) == (3, 2, ["xhpl"])
    assert job["mpirun_options"] == ["--bind-to", "core", "--map-by", "slot"]


def test_another_number_of_processes_than_there_are_slots_is_told() -> None:
    text = (INPUTS / "mpi.tfvars").read_text().replace("-np 6", "-np 5")
    findings = translate([Text("mpi.tfvars", text)], None, {}).findings
    assert [(each.severity, each.line) for each in findings] == [("loss", line_of("mpi.tfvars", "runscript"))]


def test_the_scale_set_scripts() -> None:
    data, lost = meant("azure.env", SUBSCRIPTION="00000000-0000-0000-0000-000000000000")
    assert lost == []
    assert data["nodes"] == {
        "size": "Standard_ND96isr_H200_v5",
        "count": 2,
        "orchestration": "flexible",
        "image": "microsoft-dsvm:ubuntu-hpc:2204:latest",
        "name_prefix": "vm-",
        "os_disk": {"size_gb": 256},
    }
    assert data["tags"] == {"team": "ml", "run": "7"}


def test_no_shell_runs_what_the_scripts_would() -> None:
    text = "VMSS_NAME=$(touch x)\nSKU=`id`\nLOCATION=a; id\nRESOURCE_GROUP='open\n"
    findings = translate([Text("azure.env", text)], None, {}).findings
    assert {1, 2, 3, 4} <= {each.line for each in findings if each.severity == "error"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('a = "x\\ny" # why', "x\ny"),
        ("a = [1, 2.5,\n true, null]", [1, 2.5, True, None]),
        ('a = { b = 1, "c" : "d" }', {"b": 1, "c": "d"}),
        ("a = <<EOT\n  x\nEOT\n", "  x\n"),
        ("/* no */ a = -3", -3),
        ('a = "$${b}"', "${b}"),
    ],
)
def test_constants_of_terraform(text: str, value: Any) -> None:
    source, findings = from_tfvars("x.tfvars", text)
    assert (source.data, findings) == ({"a": value}, [])


@pytest.mark.parametrize(
    "text",
    ["a = b", 'a = "${b}"', "a = [1 2]", "a = {", "a", "= 3", "a = 1\na = 2", "a = " + "[" * 5000, 'a = "x'],
)
def test_what_is_no_constant_is_told_at_its_line(text: str) -> None:
    _, findings = from_tfvars("x.tfvars", f"\n{text}")
    assert [each.severity for each in findings] == ["error"]
    assert findings[0].line >= 2


# ---- other tools for clusters


def test_a_command_line_of_xpk() -> None:
    data, lost = meant("create.sh")
    assert lost == [line_of("create.sh", "custom-cluster-arguments")]
    assert (data["name"], data["region"], data["zone"]) == ("v6e-training", "us-east5", "us-east5-b")
    assert data["node_pools"] == [
        {
            "name": "accelerators",
            "machine_type": "ct6e-standard-4t",
            "tpu": {"topology": "4x4", "slices": 2},
            "capacity": {"model": "spot"},
        }
    ]
    assert data["cluster"] == {"addons": {"gcs_fuse": True}}


def test_a_task_of_skypilot() -> None:
    data, lost = meant("task.yaml", project="my-gpu-project")
    assert lost == [line_of("task.yaml", text) for text in ("ports", "/code", "run:")]
    assert data["nodes"] == {
        "machine_type": "a2-highgpu-8g",
        "count": 2,
        "capacity": {"model": "spot"},
        "boot_disk": {"size_gb": 500},
    }
    script = "#!/bin/bash\nexport MODEL=small\npip install torch\npython train.py\n"
    assert data["startup_script"] == {"inline": script}


def test_a_task_without_a_zone_gets_the_first_that_has_its_machines() -> None:
    text = "name: t\nresources: {cloud: gcp, region: us-central1, accelerators: {H200: 8}}\n"
    translated = translate([Text("task.yaml", text)], None, {"project": "p"})
    assert translated.data["zone"] == "us-central1-b"
    assert any("us-central1-b" in each for each in translated.decisions)
    elsewhere = translate(
        [Text("task.yaml", text.replace("us-central1", "us-west8"))], None, {"project": "p"}
    )
    assert [each.message for each in elsewhere.findings] == ["the task names no zone"]


def test_a_script_is_written_as_lines(clusterprint: Run, folder: Path) -> None:
    done = clusterprint(
        "import", "task.yaml", "--var", "project=my-gpu-project", "--lossy", "-o", "out.yaml", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    lines = (folder / "out.yaml").read_text().splitlines()
    assert "  inline: |" in lines
    assert "    pip install torch" in lines


def test_names_of_variables_never_reach_a_shell_unless_they_are_some() -> None:
    text = (INPUTS / "task.yaml").read_text().replace("MODEL: small", '"a; reboot": x, OK: "$(id)"')
    translated = translate([Text("task.yaml", text)], None, {"project": "p"})
    assert any("is no name of a variable" in each.message for each in translated.findings)
    script = translated.data["startup_script"]["inline"]
    assert "reboot" not in script
    assert "export OK='$(id)'\n" in script


def test_a_cluster_file_of_ray() -> None:
    data, lost = meant("ray.yaml")
    assert lost == [line_of("ray.yaml", "setup_commands")]
    assert data["ray"]["workers"] == [
        {"name": "gpu", "pool": "gpu", "min": 0, "max": 4, "idle_timeout": "10m"}
    ]
    assert data["node_pools"][0]["capacity"] == {"model": "spot"}


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


# ---- any file


@pytest.mark.parametrize("text", ["", "a: b\n", "\x00", "- 1\n", "just words\n"])
def test_a_file_of_no_format_is_refused(clusterprint: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "file").write_text(text)
    done = clusterprint("import", "file", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is of no format that is known" in done.stderr


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
