"""`make real`, with simulated providers for the mirror, and a simulated cluster for a real one."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import real
import real_applies
import real_nodes
import real_stacks
from real_terraform import Failed, Terraform
from support import GOLDENS, ROOT, StacksOf

from clusterprint_simcloud import World
from clusterprint_simcloud.api.apis import Recorded

HARNESS = ROOT / "tools" / "real" / "real.py"
KUBECTL = """\
#!{python}
import pathlib, sys
with open({log!r}, "a") as log:
    log.write(" ".join(sys.argv[1:]) + "\\n")
if sys.argv[1] == "get" and {production!r}:
    sys.exit('error: the server does not have a resource type "stages"')
if sys.argv[1] == "apply":
    pathlib.Path({nodes!r}).write_text(pathlib.Path(sys.argv[-1]).read_text())
"""


# What no stack alone may have: references to what it only reads, also in waits; a text for a function that
# takes a list; a context of a kubeconfig; what makes Azure's provider ask the cloud.
ALONE_NEVER = re.compile(
    r"\bdata\.(?:google|azurerm|terraform)_"
    r"|\b(?:element\(|join\(\\\"[^\"]*\\\", )\\\""
    r"|config_context|resource_providers_to_register"
)


def stack(golden: str, name: str) -> Any:
    return json.loads((GOLDENS / f"{golden}.tf.json").read_text("utf-8"))[name]


def run(words: list[str], environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, HARNESS, *words], env=environment, capture_output=True, text=True, check=False
    )


def fake_kubectl(folder: Path, *, production: bool = False) -> tuple[Path, Path]:
    """A kubectl in folder/bin: where it logs how it was called, and the nodes that it was given."""
    programs = folder / "bin"
    programs.mkdir()
    log, nodes = folder / "kubectl.log", folder / "nodes.json"
    (programs / "kubectl").write_text(
        KUBECTL.format(python=sys.executable, log=str(log), nodes=str(nodes), production=production)
    )
    (programs / "kubectl").chmod(0o755)
    return log, nodes


# ---- what it is applied to


@pytest.mark.process
def test_a_cluster_without_kwok_is_left_alone(tmp_path: Path) -> None:
    log, _ = fake_kubectl(tmp_path, production=True)
    kubeconfig = str(tmp_path / "production")
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    done = run(["gke-mpi-hpl"], {**os.environ, "KUBECONFIG": kubeconfig, "PATH": path})
    assert (done.returncode, done.stdout) == (2, "")
    assert "the cluster of KUBECONFIG shows no sign of kwok (stages.kwok.x-k8s.io)" in done.stderr
    assert "without KUBECONFIG there are plans only" in done.stderr
    assert log.read_text().splitlines() == ["get stages.kwok.x-k8s.io"]


# ---- stacks that stand alone


def test_a_stack_alone_refers_to_nothing_else() -> None:
    made = real_stacks.alone(stack("gke-mpi-hpl", "mpi-bench-workloads"))
    text = json.dumps(made)
    assert "terraform_remote_state" not in text
    assert "backend" not in made["terraform"]
    (provider,) = made["provider"]["kubernetes"]
    assert provider["host"].startswith("https://x-cross-stack-output-google_container_cluster")
    assert provider["cluster_ca_certificate"].startswith('${base64decode("')
    project = real_stacks.alone(stack("gke-everything", "everything-cluster"))
    assert "data" not in project
    assert "data.google_project" not in json.dumps(project)
    assert real_stacks.PROJECT_NUMBER in json.dumps(project)


def test_what_is_inside_a_cluster_has_no_part_of_the_cloud() -> None:
    made = real_stacks.inside(stack("gke-tpu-v5p-spot", "tpu-lab-workloads"))
    assert "google" not in {type_.partition("_")[0] for type_ in made["resource"]}
    assert "${google_" not in json.dumps(made)
    assert made["provider"] == {"kubernetes": [{}], "helm": [{}]}
    assert not any("google_" in each for each in json.dumps(made["resource"]).split('"depends_on": ')[1:])


def test_fake_nodes_are_those_of_the_pools() -> None:
    made = real_nodes.fake_nodes(stack("gke-mpi-hpl", "mpi-bench-cluster"))["items"]
    workers = [
        each for each in made if each["metadata"]["labels"]["cloud.google.com/gke-nodepool"] == "workers"
    ]
    assert [each["metadata"]["name"] for each in workers] == [f"fake-workers-{number}" for number in range(3)]
    assert workers[0]["status"]["allocatable"]["cpu"] == "4"
    assert all(each["metadata"]["annotations"] == {"kwok.x-k8s.io/node": "fake"} for each in made)

    tpus = real_nodes.fake_nodes(stack("gke-tpu-v6e-multislice", "trillium-cluster"))["items"]
    slices = [each for each in tpus if "google.com/tpu" in each["status"]["capacity"]]
    assert slices[0]["spec"]["taints"] == [
        {"key": "google.com/tpu", "value": "present", "effect": "NoSchedule"}
    ]
    assert slices[0]["metadata"]["labels"]["cloud.google.com/gke-tpu-accelerator"] == "tpu-v6e-slice"

    gpus = real_nodes.fake_nodes(stack("gke-a4-flex", "blackwell-cluster"))["items"]
    labels = [each["metadata"]["labels"] for each in gpus if "nvidia.com/gpu" in each["status"]["capacity"]]
    assert labels
    assert {each["cloud.google.com/gke-accelerator"] for each in labels} == {"nvidia-b200"}


def test_jobs_of_samples_select_labels_that_fake_nodes_have() -> None:
    for sample, name, group, count in (
        ("gke-tpu-7x", "ironwood", {"cloud.google.com/gke-tpu-topology": "2x2x4"}, 8),
        ("gke-a4x-max", "gb300", {"kubernetes.io/arch": "arm64"}, 18),
    ):
        nodes = real_nodes.fake_nodes(stack(sample, f"{name}-cluster"))["items"]
        charts = stack(sample, f"{name}-workloads")["resource"]["helm_release"]
        objects = [
            each
            for chart in charts.values()
            if chart["chart"] == "./files/objects"
            for each in json.loads(chart["values"][0])["objects"].values()
        ]
        (job,) = (each for each in objects if each["kind"] == "JobSet")
        template = job["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
        selected = template["spec"]["nodeSelector"].items()
        fitting = [
            each["metadata"]["labels"] for each in nodes if selected <= each["metadata"]["labels"].items()
        ]
        assert len(fitting) == count, sample
        assert all(group.items() <= each.items() for each in fitting)


@pytest.mark.parametrize("golden", sorted(GOLDENS.glob("*.tf.json")), ids=lambda path: path.name)
def test_no_stack_keeps_a_reference_to_what_it_does_not_have(golden: Path) -> None:
    document = json.loads(golden.read_text("utf-8"))
    for each in [document] if "terraform" in document else document.values():
        alone = real_stacks.alone(each)
        assert "data" not in alone
        assert not ALONE_NEVER.search(json.dumps(alone))
        if real_stacks.is_inside(each):
            assert "${google_" not in json.dumps(real_stacks.inside(each))
        if "google_container_node_pool" in each.get("resource", {}):
            assert real_nodes.fake_nodes(each)["items"]


# ---- with Terraform


@pytest.mark.terraform
def test_plans_with_providers_of_a_mirror() -> None:
    with World(mode="mirror") as world:
        done = run(["vm-smallest", "vmss-nc-dev", "gke-mpi-hpl"], world.environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "KUBECONFIG is not set: nothing is applied",
        "ok     plan gke-mpi-hpl: mpi-bench-cluster",
        "ok     plan gke-mpi-hpl: mpi-bench-workloads",
        "ok     plan vm-smallest: first",
        "ok     plan vmss-nc-dev: dev",
        "3 blueprints: all stacks are well",
    ]


def made_in(world: World) -> list[str]:
    """The created and changed resources, in short."""
    calls = [call for call in world.cloud.calls() if call["operation"] in ("create", "update")]
    return [f"{call['operation']} {call['type'].removeprefix('google_')}" for call in calls]


@pytest.mark.terraform
def test_each_change_is_applied_and_compared(stacks: StacksOf, tmp_path: Path) -> None:
    (source,) = stacks(ROOT / "blueprints" / "gke-smallest.yaml")
    stack = json.loads((source / "cdk.tf.json").read_text("utf-8"))
    with World("my-terraform-state", mode="mirror") as world:
        found = list(real_applies.differences(stack, source, tmp_path / "again", world.environment))
        assert found == []
        assert not world.resources("google_container_node_pool")
        made = made_in(world)
    assert made.count("create container_node_pool") == 4  # two, a new driver, one more
    assert made.count("update container_node_pool") >= 2
    assert made.count("create container_cluster") == 1


@pytest.mark.terraform
def test_a_change_that_does_something_else_is_a_difference(stacks: StacksOf, tmp_path: Path) -> None:
    (source,) = stacks(ROOT / "blueprints" / "gke-smallest.yaml")
    stack = json.loads((source / "cdk.tf.json").read_text("utf-8"))
    # Each plan sets it again, as where an API does not give it back.
    stack["resource"]["terraform_data"] = {"now": {"input": "${plantimestamp()}"}}
    with World("my-terraform-state", mode="mirror") as world:
        found = list(real_applies.differences(stack, source, tmp_path / "again", world.environment))
    assert {one.step for one in found} == {"second plan", "plan after the changes"}


def test_a_permission_that_is_not_listed_is_a_difference() -> None:
    golden = json.loads((GOLDENS / "vm-smallest.tf.json").read_text("utf-8"))
    asked = [
        Recorded(method, "POST", "", {}, status, {})
        for method, status in (
            ("compute.networks.insert", 200),
            ("compute.networks.get", 404),
            ("storage.buckets.insert", 200),
            ("file.projects.locations.instances.create", 403),
            ("storage.buckets.insert", 200),
        )
    ]
    assert list(real_applies.unlisted(golden, asked)) == [
        "storage.buckets.insert takes storage.buckets.create"
    ]


def test_a_difference_that_is_listed_has_a_reason_in_its_own_step_only() -> None:
    text = "storage.anywhereCaches.list takes storage.anywhereCaches.list"
    assert "before it deletes it" in real_applies.Difference("any", "rights", text).reason
    assert not real_applies.Difference("any", "destroy", text).reason
    assert not real_applies.Difference(
        "any", "rights", "storage.buckets.get takes storage.buckets.get"
    ).reason
    for one in json.loads(real_applies.KNOWN.read_text("utf-8"))["differences"]:
        assert set(one) == {"step", "text", "reason"}
        assert len(one["reason"]) > 20


def test_a_change_makes_one_machine_more() -> None:
    golden = json.loads((GOLDENS / "vm-smallest.tf.json").read_text("utf-8"))
    made = real_applies.CHANGES["one node more"](golden)
    assert made is not None
    (config,) = made["resource"]["google_compute_per_instance_config"].values()
    assert config["for_each"] == '${toset(["first-0", "first-0-more"])}'
    arrival = made["resource"]["terraform_data"]["group_arrival"]
    assert arrival["triggers_replace"]["nodes"] == "2"
    assert arrival["provisioner"][0]["local-exec"]["environment"]["NODES"] == "2"
    assert golden["resource"]["terraform_data"]["group_arrival"]["triggers_replace"]["nodes"] == "1"


@pytest.mark.terraform
def test_where_no_provider_can_be_had_it_says_so_and_fails(tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    configuration = tmp_path / "empty.tfrc"
    configuration.write_text(
        f'provider_installation {{\n  filesystem_mirror {{\n    path = "{mirror}"\n  }}\n}}\n'
    )
    done = run(["vm-smallest"], {**os.environ, "TF_CLI_CONFIG_FILE": str(configuration)})
    assert done.returncode == 3
    assert "nothing was tried: no providers can be had" in done.stderr


@pytest.mark.terraform
def test_applies_what_is_inside_a_cluster(stacks: StacksOf, tmp_path: Path) -> None:
    laid = stacks(ROOT / "blueprints" / "gke-mpi-hpl.yaml")
    folders = [Path(shutil.copytree(each, tmp_path / each.name)) for each in laid]
    log, nodes = fake_kubectl(tmp_path)
    kubeconfig = tmp_path / "kubeconfig"
    with World("my-terraform-state", mode="mirror") as world:
        world.assume(*folders)
        world.apply(folders[0])
        (cluster,) = [each for each in world.resources() if each.type == "google_container_cluster"]
        server = {"server": f"https://{cluster.state['endpoint']}"}
        kubeconfig.write_text(
            json.dumps({"clusters": [{"cluster": server}], "users": [{"user": {"token": "simulated"}}]})
        )
        before = {record.id for record in world.resources()}
        path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
        environment = {**world.environment, "KUBECONFIG": str(kubeconfig), "PATH": path}
        done = run(["gke-mpi-hpl"], environment)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        assert "ok     apply gke-mpi-hpl: mpi-bench-workloads" in done.stdout
        made = {call["type"] for call in world.cloud.calls() if call["operation"] == "create"}
        assert "helm_release" in made
        assert {record.id for record in world.resources() if record.type == "helm_release"} <= before
    assert [line.split()[0] for line in log.read_text().splitlines()] == ["get", "apply", "delete"]
    assert len(json.loads(nodes.read_text())["items"]) >= 3


# ---- what is not applied, what hangs, and what fails at once


@pytest.mark.parametrize(
    ("stack", "why"),
    [
        ({"provider": {"google": [{}]}, "resource": {"google_compute_network": {"a": {}}}}, ""),
        ({"provider": {"azurerm": [{}]}}, "there are no simulated APIs for the providers azurerm"),
        (
            {"provider": {"google": [{}], "kubernetes": [{}], "helm": [{}]}},
            "there are no simulated APIs for the providers helm, kubernetes",
        ),
        ({"terraform": {}}, "the stack has no provider"),
        (
            {"provider": {"google": [{}]}, "resource": {"terraform_data": {"a": {"input": "./build-image"}}}},
            "the stack builds an image (build-image), which gcloud beside the APIs refuses",
        ),
        (
            {"provider": {"google": [{}]}, "resource": {"terraform_data": {"a": {"input": "./fill-lustre"}}}},
            "the stack imports files into Managed Lustre (fill-lustre), which gcloud beside the APIs refuses",
        ),
    ],
)
def test_a_stack_that_is_not_applied_has_a_reason(stack: dict[str, Any], why: str) -> None:
    assert real_applies.why_not_applied(stack) == why


def test_the_table_names_each_stack_that_was_not_applied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = {"vmss": "azurerm", "made": "google"}
    for name, provider in folders.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "cdk.tf.json").write_text(json.dumps({"provider": {provider: [{}]}}))
    found = [(Path("two.yaml"), [tmp_path / name for name in folders])]
    monkeypatch.delenv("KUBECONFIG", raising=False)
    monkeypatch.setattr(real, "Terraform", lambda *_: None)
    monkeypatch.setattr(real, "_synthesized", lambda *_: iter(found))
    monkeypatch.setattr(real, "_plan", lambda *_: None)
    monkeypatch.setattr(real_applies, "differences", lambda *_: iter(()))
    assert real.main(["--apply", "vm-smallest"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "ok     plan two: vmss",
        "ok     plan two: made",
        "ok     apply to the APIs two: made",
        "two: vmss | not applied | there are no simulated APIs for the providers azurerm",
        "1 blueprints: all stacks are well",
    ]


@pytest.mark.process
def test_a_command_that_hangs_is_ended_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fake_terraform(tmp_path, "echo still creating\nsleep 600 &\nwait", monkeypatch)
    with pytest.raises(Failed, match=r"terraform apply: ended after 0.5 seconds[^\n]*\nstill creating"):
        Terraform({}, seconds=0.5).run(tmp_path, "apply")


@pytest.mark.process
def test_an_init_that_fails_is_a_step_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _fake_terraform(tmp_path, "echo no provider >&2\nexit 1", monkeypatch)
    source = tmp_path / "first"
    source.mkdir()
    made: dict[str, Any] = {"terraform": {}, "provider": {"google": [{}]}}
    found = list(real_applies.differences(made, source, tmp_path / "again", {}))
    assert [(one.stack, one.step) for one in found] == [("first", "init")]
    assert "no provider" in found[0].text


def _fake_terraform(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / "terraform"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
