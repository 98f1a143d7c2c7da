"""What files of variables, command lines and tasks of other tools mean to `clusterprint import`."""

from typing import Any

import pytest
from imported import INPUTS, line_of

from clusterprint.importing.formats import Text, translate
from clusterprint.importing.hcl import from_tfvars

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


def test_names_of_variables_never_reach_a_shell_unless_they_are_some() -> None:
    text = (INPUTS / "task.yaml").read_text().replace("MODEL: small", '"a; reboot": x, OK: "$(id)"')
    translated = translate([Text("task.yaml", text)], None, {"project": "p"})
    assert any("is not the name of a variable" in each.message for each in translated.findings)
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
