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


def planned(text: str) -> VmPlan:
    """The plan of a blueprint that may have warnings."""
    document = load_text((HEAD + text).encode(), "a.yaml", Path()).document
    assert document is not None
    blueprint = validate(document).blueprint
    assert blueprint is not None
    (plan,) = resolve(blueprint, Path())
    assert isinstance(plan, VmPlan)
    return plan


def connect(public_ip: str, network: str) -> tuple[str, ...]:
    """The commands that open a shell."""
    nodes = f"nodes: {{machine_type: a2-highgpu-1g, public_ip: {public_ip}}}\n"
    return planned(nodes + network).outputs.connect


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
    policy = planned(f"nodes: {{machine_type: {machine_type}, capacity: {capacity}}}\n").policy
    assert (policy.kind if policy else "") == kind
