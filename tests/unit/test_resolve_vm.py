"""Decisions about `kind: vm` that no golden shows."""

from pathlib import Path

import pytest

from clusterprint.load import load_text
from clusterprint.plan.vm import VmPlan
from clusterprint.resolve import resolve
from clusterprint.validate import validate

HEAD = """\
clusterprint: v1
kind: vm
name: c
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state}}
"""
SSH = "gcloud compute ssh c-0 --project=my-project --zone=us-central1-a"
EXISTING = "network: {existing: {name: shared, subnetwork: nodes}}\n"


def plan_of(text: str, folder: Path) -> VmPlan:
    """The plan of a blueprint without problems."""
    document = load_text(text.encode(), "a.yaml", folder).document
    assert document is not None
    blueprint = validate(document).blueprint
    assert blueprint is not None
    (plan,) = resolve(blueprint, folder)
    assert isinstance(plan, VmPlan)
    return plan


def connect(public_ip: str, network: str) -> tuple[str, ...]:
    """The commands that open a shell."""
    text = f"{HEAD}nodes: {{machine_type: a2-highgpu-1g, public_ip: {public_ip}}}\n{network}"
    return plan_of(text, Path()).outputs.connect


@pytest.mark.parametrize(
    ("public_ip", "ranges", "option"),
    [
        ("true", "35.235.240.0/20", " --tunnel-through-iap"),
        ("true", "203.0.113.0/24", ""),
        ("true", "192.168.0.0/16", " --internal-ip"),
        ("true", "8.8.8.0/24", ""),
        ("true", "35.235.240.0/20, 8.8.8.0/24", ""),
        ("false", "35.235.240.0/20", " --tunnel-through-iap"),
        ("false", "10.0.0.0/8", " --internal-ip"),
        ("true", "0.0.0.0/0", ""),
        ("false", "0.0.0.0/0", " --tunnel-through-iap"),
    ],
)
def test_the_command_gets_through_the_firewall(public_ip: str, ranges: str, option: str) -> None:
    assert connect(public_ip, f"network: {{ssh_source_ranges: [{ranges}]}}\n") == (f"{SSH}{option}",)


@pytest.mark.parametrize(("public_ip", "option"), [("true", ""), ("false", " --tunnel-through-iap")])
def test_the_firewall_of_an_existing_network_is_not_ours(public_ip: str, option: str) -> None:
    assert connect(public_ip, EXISTING) == (f"{SSH}{option}",)


@pytest.mark.parametrize(("public_ip", "ranges"), [("true", ""), ("false", "8.8.8.0/24")])
def test_where_nobody_gets_in_no_command_says_so(public_ip: str, ranges: str) -> None:
    assert connect(public_ip, f"network: {{ssh_source_ranges: [{ranges}]}}\n") == ()


def test_nodes_get_files_with_a_destination_and_what_may_be_run(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    for name, mode in (("run.sh", 0o755), ("data.txt", 0o644)):
        (tmp_path / "tools" / name).write_text(name)
        (tmp_path / "tools" / name).chmod(mode)
    (tmp_path / "kept").write_text("kept")
    files = "files: [{source: ./tools, destination: /opt/tools/}, {source: ./kept}]\n"
    upload = plan_of(f"{HEAD}nodes: {{machine_type: n2-standard-4}}\n{files}", tmp_path).upload
    assert upload is not None
    assert [each.path for each in upload.objects] == ["kept", "opt/tools/data.txt", "opt/tools/run.sh"]
    assert upload.manifest_object == "clusterprint/c/files.manifest"
    _, data, run = (line.split("\t") for line in upload.manifest.splitlines())
    assert (data[0], *data[2:]) == ("0644", "clusterprint/c/files/opt/tools/data.txt", "/opt/tools/data.txt")
    assert (run[0], *run[2:]) == ("0755", "clusterprint/c/files/opt/tools/run.sh", "/opt/tools/run.sh")


def test_files_that_only_lie_in_the_bucket_are_no_business_of_the_nodes(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept")
    text = f"{HEAD}nodes: {{machine_type: n2-standard-4}}\nfiles: [{{source: ./kept}}]\n"
    plan = plan_of(text, tmp_path)
    assert plan.upload is not None
    assert (plan.upload.manifest_object, plan.upload.manifest) == ("", "")
    assert "files_manifest=\n" in plan.groups[0].template.metadata["startup-script"]


def test_where_our_scripts_do_not_run_the_users_is_as_it_is() -> None:
    image = "{project: windows-cloud, family: some-family}"
    script = 'startup_script: {inline: "#!/bin/sh\\ntrue\\n"}\n'
    plan = plan_of(f"{HEAD}nodes: {{machine_type: n2-standard-4, image: {image}}}\n{script}", Path())
    metadata = plan.groups[0].template.metadata
    assert metadata["startup-script"] == "#!/bin/sh\ntrue\n"
    assert "enable-guest-attributes" not in metadata
    assert plan.outputs.status == ()


@pytest.mark.parametrize(
    ("machine_type", "capacity", "kind"),
    [
        ("a3-highgpu-8g", "{model: on_demand}", "compact"),
        ("a3-highgpu-8g", "{model: spot}", "workload"),
        ("a3-highgpu-8g", "{model: flex_start, max_run_duration: 7d}", ""),
        ("a3-highgpu-8g", "{model: reservation, reservation: r}", ""),
        ("g2-standard-4", "{model: on_demand}", ""),
    ],
)
def test_nodes_are_close_where_that_is_possible(machine_type: str, capacity: str, kind: str) -> None:
    nodes = f"nodes: {{machine_type: {machine_type}, capacity: {capacity}}}\n"
    policy = plan_of(HEAD + nodes, Path()).groups[0].policy
    assert (policy.kind if policy else "") == kind


def test_the_firewall_of_an_existing_network_is_its_owners() -> None:
    storage = (
        "nodes: {machine_type: n2-standard-8}\n"
        "storage: {private_services: {create: true, cidr: 10.100.0.0/20}, "
        "volumes: [{name: scratch, kind: lustre, mount: /scratch}]}\n"
    )
    volumes = plan_of(f"{HEAD}{storage}{EXISTING}", Path()).volumes
    assert volumes is not None
    assert volumes.private_services is not None
    assert volumes.firewalls == ()
    own = plan_of(f"{HEAD}{storage.replace('create: true, ', '')}", Path()).volumes
    assert own is not None
    assert [each.key for each in own.firewalls] == ["lustre"]
