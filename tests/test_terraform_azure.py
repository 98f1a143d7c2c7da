"""Effects of changed blueprints on a running cluster on Azure, by real Terraform."""

from collections.abc import Callable
from pathlib import Path

import pytest
from running import Running
from support import Run

from clusterprint_simcloud import World

pytestmark = pytest.mark.terraform

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY"
UNIFORM = f"""\
clusterprint: v1
kind: vmss
name: life
subscription: 00000000-0000-0000-0000-000000000000
location: southcentralus
backend: {{gcs: {{bucket: my-terraform-state}}}}
admin: {{ssh_public_key: {{inline: {KEY} me}}}}
head_node: {{ssh_source_ranges: [203.0.113.0/24]}}
network: {{inbound_nat: {{}}}}
nodes:
  size: Standard_ND96isr_H200_v5
  count: 2
"""
FLEXIBLE = UNIFORM.replace("ND96isr_H200_v5", "NC40ads_H100_v5")
SCALE_SETS = {
    UNIFORM: "azurerm_linux_virtual_machine_scale_set.scale_set",
    FLEXIBLE: "azurerm_orchestrated_virtual_machine_scale_set.scale_set",
}
HEAD = "azurerm_linux_virtual_machine.head"
both = pytest.mark.parametrize("before", [UNIFORM, FLEXIBLE], ids=["uniform", "flexible"])


Plans = Callable[..., dict[str, str]]


@pytest.fixture
def plan_of(running: Running, tmp_path: Path) -> Plans:
    """Deploy one version of a blueprint after the other; what the last one changes."""

    def run(first: str, *others: str) -> dict[str, str]:
        running.deploy(tmp_path, first, ["life"])
        return [running.change(tmp_path, each, ["life"])[0] for each in others][-1]

    return run


@both
def test_another_number_of_nodes_touches_the_scale_set_alone(before: str, plan_of: Plans) -> None:
    changes = plan_of(before, before.replace("count: 2", "count: 5"))
    assert changes == {SCALE_SETS[before]: "update"}


def test_nothing_is_left_of_nodes_that_went(plan_of: Plans) -> None:
    changes = plan_of(
        UNIFORM.replace("count: 2", "count: 100"), UNIFORM, UNIFORM.replace("count: 2", "count: 0")
    )
    assert changes == {SCALE_SETS[UNIFORM]: "update"}


@both
def test_other_scripts_and_health_checks_replace_nothing(before: str, plan_of: Plans) -> None:
    changes = plan_of(
        before, before + 'health_checks: {dcgm_level: 3}\nstartup_script: {inline: "#!/bin/sh\\ndate\\n"}\n'
    )
    assert changes == {SCALE_SETS[before]: "update"}


@both
def test_another_image_version_replaces_nothing(before: str, plan_of: Plans) -> None:
    changes = plan_of(before, before + "  image: microsoft-dsvm:ubuntu-hpc:2404:latest\n")
    assert changes == {SCALE_SETS[before]: "update"}


def test_a_set_of_the_other_sort_does_not_meet_the_first(plan_of: Plans) -> None:
    changes = plan_of(UNIFORM, FLEXIBLE)
    assert changes[SCALE_SETS[UNIFORM]] == "delete"
    assert changes[SCALE_SETS[FLEXIBLE]] == "create"


@both
def test_labels_replace_nothing(before: str, plan_of: Plans) -> None:
    changes = plan_of(before, before + "labels: {team: ml}\n")
    assert set(changes.values()) == {"update"}


@both
def test_tags_replace_nothing(before: str, plan_of: Plans) -> None:
    tagged = before.replace("backend:", "tags: {CostCenter: AI Team}\nbackend:")
    changes = plan_of(before, tagged)
    assert {*changes.values()} == {"update"}
    assert HEAD in changes


@both
def test_another_prefix_of_host_names_is_another_scale_set(before: str, plan_of: Plans) -> None:
    changes = plan_of(before, before + "  name_prefix: vm-\n")
    assert changes[SCALE_SETS[before]] == "replace"
    assert changes.get(HEAD) is None


def test_a_time_to_live_replaces_nothing(plan_of: Plans) -> None:
    changes = plan_of(UNIFORM, UNIFORM + "time_to_live: 7d\n")
    assert changes == {
        SCALE_SETS[UNIFORM]: "update",
        "azurerm_role_assignment.grant_head-stops-nodes": "create",
        "azurerm_role_assignment.grant_head-stops-itself": "create",
    }


def test_another_way_in_replaces_nothing(plan_of: Plans) -> None:
    changes = plan_of(UNIFORM, UNIFORM.replace("203.0.113.0/24", "198.51.100.0/24"))
    assert changes == {"azurerm_network_security_rule.network_ssh": "update"}


def test_the_head_may_write_its_own_tag(clusterprint: Run, tmp_path: Path) -> None:
    file, folder = tmp_path / "life.yaml", tmp_path / "out" / "stacks" / "life"
    file.write_text(UNIFORM)
    done = clusterprint("synth", file, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    with World("my-terraform-state") as world:
        world.apply(folder)
        with world.cloud.open() as contents:
            (head,) = contents.of("azurerm_linux_virtual_machine")
            head.state["tags"] |= {"clusterprint-head-key": "ssh-ed25519 AAAA head"}
        assert world.changes(folder) == {}
        file.write_text(UNIFORM + "labels: {team: ml}\n")
        clusterprint("synth", file, "--out", tmp_path / "out")
        world.apply(folder)
        (head,) = world.resources("azurerm_linux_virtual_machine")
    assert head.state["tags"] == {
        "clusterprint": "life",
        "clusterprint-head-key": "ssh-ed25519 AAAA head",
        "team": "ml",
    }


def test_the_comment_of_a_key_arrives_as_it_is(clusterprint: Run, tmp_path: Path) -> None:
    comment = "ops ${HOME} %{if true} ${TfToken[TOKEN.0]} #{Token[x]} $${}"
    file = tmp_path / "life.yaml"
    file.write_text(UNIFORM.replace(f"{{inline: {KEY} me}}", f"{{inline: '{KEY} {comment}'}}"))
    done = clusterprint("synth", file, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    with World("my-terraform-state") as world:
        plan = world.plan(tmp_path / "out" / "stacks" / "life")
    changes = {each["address"]: each["change"]["after"] for each in plan["resource_changes"]}
    for address in (SCALE_SETS[UNIFORM], HEAD):
        assert changes[address]["admin_ssh_key"][0]["public_key"] == f"{KEY} {comment}"
