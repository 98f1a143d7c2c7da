"""Imports of variable files, command lines and tasks of other tools."""

from pathlib import Path
from typing import Any

import pytest
from imported import INPUTS, line_of
from support import BLUEPRINTS

from clusterprint.importing.check import check
from clusterprint.importing.formats import _FORMATS as FORMATS_BY_NAME
from clusterprint.importing.formats import Text, translate
from clusterprint.importing.hcl import from_tfvars
from clusterprint.importing.source import from_yaml
from clusterprint.importing.write import text_of

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


def sample_job() -> dict[str, Any]:
    """The job of the sample of High-Performance Linpack, which runs the same image."""
    source, _ = from_yaml("x.yaml", (BLUEPRINTS / "gke-mpi-hpl.yaml").read_text())
    (job,) = source.data["workloads"]["mpi"]["jobs"]
    return {**job, "node_pool": "workers"}


@pytest.mark.parametrize("image", ["", 'image_id = "cornellcac/nix-mpi-benchmarks:other"\n'])
def test_an_mpi_cluster_runs_as_the_sample_of_its_image(image: str) -> None:
    """In the Nix shell of its user, with the server of that user."""
    text = (INPUTS / "mpi.tfvars").read_text() + image
    translated = translate([Text("mpi.tfvars", text)], None, {})
    assert translated.findings == []
    assert translated.data["node_pools"] == [{"name": "workers", "machine_type": "n2-standard-4", "count": 3}]
    (job,) = translated.data["workloads"]["mpi"]["jobs"]
    file = {"source": "./HPL.dat", "destination": "/home/nixuser/HPL.dat"}
    own = {"image": image.split('"')[1]} if image else {}
    assert {**job, "time_limit": "2h"} == {**sample_job(), "files": [file], **own}


def test_an_mpi_cluster_of_another_image_says_that_its_command_is_no_longer_wrapped() -> None:
    text = (INPUTS / "mpi.tfvars").read_text() + 'image_id = "lab/mpi:1"\n'
    translated = translate([Text("mpi.tfvars", text)], None, {})
    (told,) = translated.findings
    assert (told.severity, told.line) == ("loss", 13)
    assert "the command ran as nixuser, in the Nix shell of the image" in told.message
    (job,) = translated.data["workloads"]["mpi"]["jobs"]
    assert (job["workers"], job["slots_per_worker"], job["command"]) == (3, 2, ["xhpl"])
    assert job["mpirun_options"] == ["--bind-to", "core", "--map-by", "slot"]
    assert not {"launcher_command", "worker_command", "ssh_user", "ssh_port", "working_dir"} & {*job}


def test_another_number_of_processes_than_there_are_slots_is_told() -> None:
    text = (INPUTS / "mpi.tfvars").read_text().replace("-np 6", "-np 5") + 'image_id = "lab/mpi:1"\n'
    findings = translate([Text("mpi.tfvars", text)], None, {}).findings
    assert ("loss", line_of("mpi.tfvars", "runscript")) in [(each.severity, each.line) for each in findings]


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ("", "", "path_to_file"),  # there is no such file
        ("num_workers        = 3", "num_workers = 0", "num_workers"),
        ("slots_per_worker   = 2", "slots_per_worker = 0", "slots_per_worker"),
        ('"hpl"', '"H P L"', "container_name"),
        ('"../mpi-files/HPL.dat"', '"../missing.dat"', "path_to_file"),
    ],
)
def test_each_problem_of_an_mpi_job_is_at_its_variable(
    before: str, after: str, name: str, tmp_path: Path
) -> None:
    text = (INPUTS / "mpi.tfvars").read_text().replace(before, after)
    translated = translate([Text("mpi.tfvars", text)], None, {})
    if name != "path_to_file":
        (tmp_path / "HPL.dat").write_text("HPL\n")
    found = check(text_of(translated, ["mpi.tfvars"]), tmp_path / "x.yaml", translated)
    errors = [each for each in found if each.severity == "error"]
    assert {each.line for each in errors} == {line_of("mpi.tfvars", name)}


@pytest.mark.parametrize(
    ("format", "text", "value"),
    [
        ("toolkit", "2", 2),
        ("toolkit", "1.5", 1.5),
        ("toolkit", "true", True),
        ("toolkit", "yes", "yes"),  # YAML 1.2
        ("toolkit", "0o17", 15),
        ("toolkit", "", None),
        ("toolkit", "'2'", "2"),
        ("toolkit", '"true"', "true"),
        ("toolkit", "us-central1-a", "us-central1-a"),
        ("toolkit", "projects/p/reservations/r", "projects/p/reservations/r"),
        ("toolkit", "10.0.0.0/8", "10.0.0.0/8"),
        ("toolkit", "[a, 2]", ["a", 2]),
        ("toolkit", "{a: b, c: [1]}", {"a": "b", "c": [1]}),
        ("toolkit", "a: b", {"a": "b"}),
        ("skypilot", "2", 2),
        ("tfvars", '["a", 2]', ["a", 2]),
        ("tfvars", '{ a = "b", c = true }', {"a": "b", "c": True}),
        ("mpi-tfvars", '"2"', "2"),
        ("mpi-tfvars", "2", "2"),  # a number where one is wanted: see below
        ("azure-scripts", "(a=1 'b=2 3')", ["a=1", "b=2 3"]),
        ("xpk", "[a", "[a"),
        ("env-file", "(a)", "(a)"),
    ],
)
def test_a_value_of_the_command_line_is_read_as_its_format_reads_it(
    format: str, text: str, value: Any
) -> None:
    found = FORMATS_BY_NAME[format].value_of(text)
    assert (found, type(found) is bool) == (value, type(value) is bool)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"num_workers": "3", "zonal_cluster": "true"}, None),
        ({"num_workers": "three"}, "num_workers has the wrong type: 'three'"),
        ({"num_workers": '"3"'}, None),  # Terraform converts texts, numbers and switches
        ({"num_workers": "true"}, "num_workers has the wrong type: 'true'"),
        ({"zonal_cluster": "1"}, "zonal_cluster has the wrong type: '1'"),
        ({"owner": "[1]"}, "owner has the wrong type: [1]"),
        ({"owner": "7"}, None),  # text
        ({"nobody_knows": "7"}, "nobody_knows has no counterpart: '7'"),
    ],
)
def test_a_word_of_the_command_line_is_what_its_variable_takes(
    given: dict[str, str], told: str | None
) -> None:
    text = (INPUTS / "mpi.tfvars").read_text()
    findings = translate([Text("mpi.tfvars", text)], None, given).findings
    assert [each.message for each in findings] == ([told] if told else [])
    assert {each.file for each in findings} <= {f"--var {name}" for name in given}


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
    text = (INPUTS / "azure.env").read_text()
    decided = " ".join(translate([Text("azure.env", text)], None, {}).decisions)
    assert "the head is a machine besides those of INSTANCE_COUNT" in decided
    assert "no load balancer has ports from 50000 on" in decided


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
        # As Terraform 1.11 reads them.
        (r'a = "\u0041\U0001F600\n"', "A😀\n"),
        ('a = "$${b} %%{c} $$${d} $e %f"', "${b} %{c} $${d} $e %f"),
        ("a = <<EOT\n$${b} \\n\nEOT", "${b} \\n\n"),
        (r'a = {"b\u0041" = 1, 2 = 3, é = 4}', {"bA": 1, "2": 3, "é": 4}),
        ("a = [1e3, 2.0, 1.50, 1000000000000000000000000000001]", [1000, 2, 1.5, 10**30 + 1]),
    ],
)
def test_constants_of_terraform(text: str, value: Any) -> None:
    source, findings = from_tfvars("x.tfvars", text)
    assert (source.data, findings) == ({"a": value}, [])


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a = b",
            'a = "${b}"',
            "a = [1 2]",
            "a = {",
            "a",
            "= 3",
            "a = 1\na = 2",
            "a = " + "[" * 5000,
            'a = "x',
        ),
        *(r'a = "\q"', r'a = "\ud800"', "a = <<EOT\n${b}\nEOT", 'a = {"${b}" = 1}', 'a = "%{ if b }"'),
        *("a = 1 b = 2", "a = {b = 1 c = 2}", "a = {b = 1,, c = 2}", "a = 1e999999999", "a = " + "1" * 5000),
    ],
)
def test_what_is_no_constant_is_told_at_its_line(text: str) -> None:
    _, findings = from_tfvars("x.tfvars", f"\n{text}")
    assert [each.severity for each in findings] == ["error"]
    assert findings[0].line >= 2


def test_numbers_and_switches_are_texts_where_a_text_is_wanted() -> None:
    text = (INPUTS / "mpi.tfvars").read_text().replace('"lab"', "7").replace("= 3\n", '= "4"\n')
    data = translate([Text("mpi.tfvars", text)], None, {}).data
    assert data["labels"] == {"owner": "7"}
    assert data["workloads"]["mpi"]["jobs"][0]["workers"] == 4


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
