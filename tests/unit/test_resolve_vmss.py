"""Decisions about scale sets that golden files do not show: what machines are told, and what they may do."""

from pathlib import Path

import pytest
from nodes.cloud_init import texts
from support import BLUEPRINTS, GOLDENS

from clusterprint.load import load
from clusterprint.plan.vmss import VmssPlan
from clusterprint.resolve import resolve
from clusterprint.validate import validate_together

IDS = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/h200-rg/providers"


def plan_of(file: Path) -> VmssPlan:
    document = load(file, file.name).document
    assert document is not None
    (validated,) = validate_together([document])
    assert validated.blueprint is not None
    (plan,) = resolve(validated.blueprint, file.parent)
    assert isinstance(plan, VmssPlan)
    return plan


def settings(custom_data: str) -> dict[str, str]:
    """The facts that a machine is told."""
    lines = texts(custom_data)["/etc/clusterprint/settings"].splitlines()
    return dict(line.split("=", 1) for line in lines)


@pytest.fixture(scope="module")
def h200() -> VmssPlan:
    return plan_of(BLUEPRINTS / "vmss-h200.yaml")


@pytest.fixture(scope="module")
def a100() -> VmssPlan:
    return plan_of(BLUEPRINTS / "vmss-a100-flexible.yaml")


@pytest.mark.parametrize(
    ("written", "given"), [("15m", "PT15M"), ("60m", "PT1H"), ("90m", "PT1H30M"), ("2h", "PT2H")]
)
def test_azure_restores_evicted_machines_for_as_long_as_is_written(
    written: str, given: str, tmp_path: Path
) -> None:
    text = (GOLDENS.parent / "cases/rules/AZ093/ok-longest.yaml").read_text("utf-8")
    (tmp_path / "b.yaml").write_text(text.replace("spot_restore: 2h", f"spot_restore: {written}"), "utf-8")
    assert plan_of(tmp_path / "b.yaml").scale_set.capacity.restore == given


def test_machines_are_told_who_they_are_and_where_their_cluster_is(h200: VmssPlan) -> None:
    head, node = settings(h200.head.custom_data), settings(h200.scale_set.custom_data)
    shared = {
        "cluster": "h200",
        "admin_user": "azureuser",
        "orchestration": "uniform",
        "scale_set_id": f"{IDS}/Microsoft.Compute/virtualMachineScaleSets/h200-uniform",
        "head_id": f"{IDS}/Microsoft.Compute/virtualMachines/h200-head",
        "cluster_range": "10.0.0.0/17",
        "gpu_vendor": "nvidia",
        "gpus_per_node": "8",
        "infiniband": "yes",
        "dcgm_level": "2",
    }
    for told in (head, node):
        assert shared.items() <= told.items()
    identities = f"{IDS}/Microsoft.ManagedIdentity/userAssignedIdentities"
    assert (head["role"], head["identity"]) == ("head", f"{identities}/h200-head")
    assert (node["role"], node["identity"]) == ("node", f"{identities}/h200-nodes")


def test_the_names_that_machines_are_told_are_those_of_what_is_made(h200: VmssPlan) -> None:
    head = settings(h200.head.custom_data)
    assert head["scale_set_id"].endswith(f"/{h200.scale_set.name}")
    assert head["head_id"].endswith(f"/{h200.head.name}")
    assert {each.name for each in h200.identities} == {"h200-head", "h200-nodes"}


def test_without_shares_and_an_end_machines_may_do_no_more_than_find_each_other(h200: VmssPlan) -> None:
    assert {(each.identity, each.role, each.scope) for each in h200.grants} == {
        ("head", "Reader", "scale_set"),
        ("head", "Tag Contributor", "head"),
        ("nodes", "Reader", "head"),
    }


def test_nodes_may_only_ever_read_the_head(a100: VmssPlan) -> None:
    granted = {(each.role, each.scope) for each in a100.grants if each.identity == "nodes"}
    assert granted == {("Reader", "head")}


def test_keys_of_accounts_are_for_shares_over_smb_only() -> None:
    plan = plan_of(GOLDENS / "vmss-existing-subnet.yaml")
    role = "Storage Account Key Operator Service Role"
    assert {(each.identity, each.share) for each in plan.grants if each.role == role} == {
        ("head", "team"),
        ("nodes", "team"),
    }


def test_scripts_of_the_user_go_to_the_machines_that_they_are_for() -> None:
    plan = plan_of(GOLDENS / "vmss-marketplace-plan.yaml")
    script = "/usr/local/lib/clusterprint/startup-script"
    assert texts(plan.head.custom_data)[script] == "#!/bin/bash\necho head\n"
    assert texts(plan.scale_set.custom_data)[script] == "#!/bin/bash\necho node\n"


def test_machines_are_told_what_to_mount_and_where_it_is() -> None:
    plan = plan_of(GOLDENS / "vmss-lustre.yaml")
    made, there = texts(plan.scale_set.custom_data)["/etc/clusterprint/shares"].splitlines()
    file_system = f"{IDS}/Microsoft.StorageCache/amlFilesystems/h200-lustre".replace("h200", "amlfs")
    assert made.split("\t") == ["lustre", "-", file_system, "lustrefs", "/scratch", "rw", "ours"]
    assert there.split("\t") == ["lustre", "10.9.0.4", "-", "lustrefs", "/sets", "ro", "theirs"]


def test_the_number_of_nodes_is_not_among_what_machines_are_told(tmp_path: Path) -> None:
    text = (BLUEPRINTS / "vmss-h200.yaml").read_text()
    (tmp_path / "cluster.pub").write_text((BLUEPRINTS / "cluster.pub").read_text())
    plans = []
    for count in ("2", "9"):
        file = tmp_path / "cluster.yaml"
        file.write_text(text.replace("count: 2", f"count: {count}"))
        plans.append(plan_of(file))
    few, many = plans
    assert few.scale_set.custom_data == many.scale_set.custom_data
    assert few.head == many.head


def changed(tmp_path: Path, *changes: tuple[str, str], blueprint: str = "vmss-h200.yaml") -> VmssPlan:
    """The plan of one of our blueprints, with some of its texts replaced."""
    text = (BLUEPRINTS / blueprint).read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    (tmp_path / "cluster.pub").write_text((BLUEPRINTS / "cluster.pub").read_text())
    (tmp_path / "cluster.yaml").write_text(text)
    return plan_of(tmp_path / "cluster.yaml")


@pytest.mark.parametrize(
    "size",
    [
        "Standard_HB176rs_v4",
        "Standard_HB120-16rs_v3",
        "Standard_HX176rs",
        "Standard_HB999rs_v9",
        "Standard_ND40rs_v2",
    ],
)
def test_a_size_with_rdma_in_its_name_keeps_infiniband(tmp_path: Path, size: str) -> None:
    """A set with several placement groups has no InfiniBand, and cannot become one with a single group."""
    image = "image: microsoft-dsvm:ubuntu-hpc:2404:latest"
    plan = changed(tmp_path, ("size: Standard_ND96isr_H200_v5,", f"size: {size}, {image},"))
    assert (plan.scale_set.orchestration, plan.scale_set.single_placement_group) == ("uniform", True)
    assert settings(plan.scale_set.custom_data)["infiniband"] == "yes"


def test_what_the_cluster_uses_is_registered_unless_it_lives_in_somebody_elses_group(h200: VmssPlan) -> None:
    used = ("Microsoft.Compute", "Microsoft.ManagedIdentity", "Microsoft.Network", "Microsoft.Storage")
    assert h200.registered == used
    assert plan_of(BLUEPRINTS / "vmss-nc-dev.yaml").registered == ()
    assert plan_of(GOLDENS / "vmss-hpc.yaml").registered == ()


def test_registration_can_be_asked_for_in_an_existing_group(tmp_path: Path) -> None:
    said = ("create_resource_group: false", "create_resource_group: false\nregister_providers: true")
    assert changed(tmp_path, said, blueprint="vmss-nc-dev.yaml").registered


@pytest.mark.parametrize(("size", "has"), [("Standard_D8s_v5", True), ("Standard_B2s", False)])
def test_small_heads_do_without_accelerated_networking(tmp_path: Path, size: str, *, has: bool) -> None:
    text = (BLUEPRINTS / "vmss-h200.yaml").read_text()
    (tmp_path / "cluster.pub").write_text((BLUEPRINTS / "cluster.pub").read_text())
    (tmp_path / "cluster.yaml").write_text(text.replace("head_node: {", f"head_node: {{size: {size}, "))
    assert plan_of(tmp_path / "cluster.yaml").head.accelerated_networking is has


def test_a_file_that_ends_with_a_line_break_is_the_same_key(h200: VmssPlan) -> None:
    assert h200.admin.public_key.startswith("ssh-ed25519 ")
    assert "\n" not in h200.admin.public_key
