"""Each risk, found where it is and not found where it is not; resources come as Terraform plans them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from review.conftest import STAYS, Change, entry

from clusterprint.review.assemble import assemble
from clusterprint.review.model import Report
from clusterprint.review.terraform_plan import gather_plans

FIREWALL = "google_compute_firewall.f"
GROUP = "azurerm_network_security_group.g"
CLUSTER = "google_container_cluster.c"
MEMBER = "google_project_iam_member.m"
OBJECT_USER = {"role": "roles/storage.objectUser", "member": "x"}
PUBLIC_OBJECTS = {"role": "roles/storage.objectViewer", "member": "allUsers"}
SSH = {"direction": "INGRESS", "allow": [{"protocol": "tcp", "ports": ["22"]}]}
OPEN = {**SSH, "source_ranges": ["0.0.0.0/0"]}
RULE = {"access": "Allow", "direction": "Inbound", "protocol": "Tcp", "destination_port_range": "22"}
GKE = {"private_cluster_config": [{"enable_private_endpoint": False, "enable_private_nodes": True}]}
OFFICE = [{"cidr_blocks": [{"cidr_block": "203.0.113.0/24"}]}]
EVERYONE = [{"cidr_blocks": [{"cidr_block": "0.0.0.0/0"}]}]
ANYTHING = {"allow": [{"protocol": "all"}], "source_ranges": ["0.0.0.0/1"]}
KEPT = {"spec": [{"persistent_volume_reclaim_policy": "Retain"}]}
BALANCER = {"metadata": [{"name": "s"}], "spec": [{"type": "LoadBalancer"}]}


def private(*, nodes: bool) -> dict[str, Any]:
    return {"private_cluster_config": [{"enable_private_nodes": nodes, "enable_private_endpoint": True}]}


@pytest.mark.parametrize(
    ("change", "name", "severity"),
    [
        (("google_storage_bucket.b", {"force_destroy": True}, None), "bucket_removed", "critical"),
        (("google_storage_bucket.b", {"force_destroy": False}, None), "bucket_removed", "high"),
        (("google_filestore_instance.f", {"name": "f"}, None), "disk_removed", "critical"),
        (("google_compute_disk.d", {}, {"_replaced": True}), "disk_removed", "critical"),
        (("azurerm_managed_disk.d", {}, None), "disk_removed", "critical"),
        (("azurerm_storage_account.a", {}, None), "bucket_removed", "critical"),
        (("kubernetes_persistent_volume_claim_v1.c", {}, None), "disk_removed", "critical"),
        (
            ("kubernetes_persistent_volume_claim_v1.c", {"spec": [{"volume_name": "pvc-1a2b"}]}, None),
            "disk_removed",
            "critical",
        ),
        (("google_lustre_instance.l", {}, {"_replaced": True}), "disk_removed", "critical"),
        (("google_parallelstore_instance.p", {}, {"_replaced": True}), "disk_removed", "critical"),
        (("google_parallelstore_instance.p", {}, None), "disk_removed", "critical"),
        (("google_secret_manager_secret.s", {}, None), "secret_removed", "critical"),
        (("google_artifact_registry_repository.r", {}, None), "registry_removed", "critical"),
        ((CLUSTER, {}, {"_replaced": True}), "cluster_replaced", "critical"),
        (("azurerm_kubernetes_cluster.c", {}, None), "cluster_replaced", "critical"),
        (("google_compute_network.n", {}, {"_replaced": True}), "network_replaced", "high"),
        (("helm_release.r", {"version": "1"}, {"version": "2"}), "workload_changed", "low"),
        (("kubernetes_job_v1.j", {}, {"_replaced": True}), "workload_removed", "medium"),
        ((FIREWALL, None, OPEN), "public_ssh", "critical"),
        ((FIREWALL, None, {**SSH, "source_ranges": ["::/0"]}), "public_ssh", "critical"),
        ((FIREWALL, None, SSH), "public_ssh", "critical"),
        (
            (FIREWALL, None, {**SSH, "source_ranges": ["203.0.113.0/24"]}),
            "ssh_from_internet",
            "low",
        ),
        (
            (FIREWALL, None, ANYTHING),
            "public_ssh",
            "critical",
        ),
        (
            (
                FIREWALL,
                None,
                {"allow": [{"protocol": "tcp", "ports": ["8265"]}], "source_ranges": ["0.0.0.0/0"]},
            ),
            "open_to_internet",
            "high",
        ),
        (
            ("azurerm_network_security_rule.r", None, {**RULE, "source_address_prefix": "*"}),
            "public_ssh",
            "critical",
        ),
        (
            (GROUP, {}, {"security_rule": [{**RULE, "source_address_prefix": "Internet"}]}),
            "public_ssh",
            "critical",
        ),
        ((CLUSTER, None, GKE), "control_plane_open", "high"),
        (
            (
                CLUSTER,
                {**GKE, "master_authorized_networks_config": OFFICE},
                {**GKE, "master_authorized_networks_config": EVERYONE},
            ),
            "control_plane_open",
            "high",
        ),
        (
            (
                CLUSTER,
                private(nodes=True),
                private(nodes=False),
            ),
            "public_nodes",
            "medium",
        ),
        (("google_compute_address.a", None, {"name": "a"}), "public_address", "low"),
        (("azurerm_public_ip.a", None, {"name": "a"}), "public_address", "medium"),
        (
            ("kubernetes_service_v1.s", None, BALANCER),
            "public_address",
            "high",
        ),
        (("google_service_account_key.k", None, {}), "service_account_key", "high"),
        ((MEMBER, None, {"role": "roles/owner", "member": "user:a"}), "broad_role", "high"),
        (
            ("google_storage_bucket_iam_member.m", None, PUBLIC_OBJECTS),
            "public_iam",
            "critical",
        ),
        (("azurerm_role_assignment.r", None, {"role_definition_name": "Contributor"}), "broad_role", "high"),
        ((MEMBER, None, OBJECT_USER), "iam_granted", "medium"),
        (
            (CLUSTER, {"deletion_protection": True}, {"deletion_protection": False}),
            "protection_removed",
            "high",
        ),
        (
            ("google_storage_bucket.b", {"force_destroy": False}, {"force_destroy": True}),
            "protection_removed",
            "high",
        ),
    ],
)  # fmt: skip
def test_a_risk_is_found(found: Any, change: Change, name: str, severity: str) -> None:
    assert found(STAYS, change).get(name) == severity


@pytest.mark.parametrize(
    "change",
    [
        (FIREWALL, OPEN, {**OPEN, "priority": 1}),
        (FIREWALL, None, {**SSH, "source_ranges": ["35.235.240.0/20"]}),
        (FIREWALL, None, {**SSH, "source_ranges": ["10.0.0.0/8"]}),
        (FIREWALL, None, {**OPEN, "disabled": True}),
        (FIREWALL, None, {**OPEN, "direction": "EGRESS"}),
        (FIREWALL, OPEN, None),
        ("azurerm_network_security_rule.r", None, {**RULE, "source_address_prefix": "10.1.0.0/16"}),
        ("azurerm_network_security_rule.r", None, {**RULE, "source_address_prefix": "*", "access": "Deny"}),
        (CLUSTER, None, {"private_cluster_config": [{"enable_private_endpoint": True}]}),
        (MEMBER, None, {"role": "roles/logging.logWriter", "member": "x"}),
        (MEMBER, {"role": "roles/owner", "member": "x"}, None),
        ("google_compute_address.a", None, {"address_type": "INTERNAL"}),
        ("google_storage_bucket.b", None, {"public_access_prevention": "enforced"}),
        ("google_compute_instance_template.t", {"labels": {}}, {"labels": {"a": "b"}, "_replaced": True}),
        ("helm_release.r", None, {"version": "1"}),
        ("kubernetes_persistent_volume_claim_v1.c", {"spec": [{"volume_name": "data.train"}]}, None),
        ("kubernetes_persistent_volume_v1.v", KEPT, None),
    ],
)  # fmt: skip
def test_nothing_is_found_where_nothing_is(found: Any, change: Change) -> None:
    assert found(STAYS, change) == {}


def test_a_role_of_the_stack_itself_is_spelled_out(reported: Any) -> None:
    role = {"role_id": "spani_nodes", "permissions": ["compute.instances.list", "compute.instances.get"]}
    (risk,) = reported(
        STAYS,
        ("google_project_iam_custom_role.role", None, role),
        (MEMBER, None, {"role": "${google_project_iam_custom_role.role.name}", "member": "x"}),
    ).risks
    assert risk.message == ("granted: role spani_nodes (compute.instances.list, compute.instances.get)")


MANAGER = {"name": "spani-nodes", "version": [{"instance_template": "t"}]}
REPAIRED = {**MANAGER, "auto_healing_policies": [{"health_check": "c", "initial_delay_sec": 900}]}
ANSWERS = "#file 0644 /etc/systemd/system/clusterprint-answer.socket\n"


@pytest.mark.parametrize(
    ("script", "before", "after", "expected"),
    [
        (ANSWERS, MANAGER, REPAIRED, {"nodes_restarted": "medium"}),
        ("echo old", MANAGER, REPAIRED, {"nodes_restarted": "high"}),
        (ANSWERS, REPAIRED, MANAGER, {}),
        (ANSWERS, REPAIRED, {**REPAIRED, "description": "x"}, {}),
    ],
)
def test_repair_that_begins_recreates_nodes_that_do_not_answer(
    found: Any, script: str, before: dict[str, Any], after: dict[str, Any], expected: dict[str, str]
) -> None:
    template = {"self_link": "t", "metadata": {"startup-script": script}}
    assert (
        found(
            STAYS,
            ("google_compute_instance_template.template", template, template),
            ("google_compute_instance_group_manager.group", before, after),
        )
        == expected
    )


def granted(model: str, seconds: int) -> dict[str, Any]:
    return {
        "machine_type": "a3-ultragpu-8g",
        "self_link": "t",
        "scheduling": [{"provisioning_model": model, "max_run_duration": [{"seconds": seconds}]}],
    }


@pytest.mark.parametrize(
    ("model", "words", "to_do"),
    [
        (
            "FLEX_START",
            "for the next request only: granted nodes keep the old one, and end when",
            "clusterprint up --renew",
        ),
        ("SPOT", "those that replace preempted ones have the new one", "let them run"),
        ("STANDARD", "until they are recreated by hand", ""),
        ("RESERVATION_BOUND", "until they are recreated by hand", ""),
    ],
)
def test_nobody_is_told_to_recreate_nodes_that_cannot_be_had_again(
    reported: Any, model: str, words: str, to_do: str
) -> None:
    old, new = granted(model, 259_200), {**granted(model, 604_800), "self_link": "u", "_replaced": True}
    after = {**MANAGER, "version": [{"instance_template": "u"}]}
    (risk,) = reported(
        STAYS,
        ("google_compute_instance_template.template", old, new),
        ("google_compute_instance_group_manager.group", MANAGER, after),
    ).risks
    assert (risk.name, words in risk.message, to_do in risk.help) == ("template_changed", True, True)
    assert risk.message.startswith("instance group spani-nodes has a new template: ")
    assert ("by hand" in risk.message) is (not to_do)


def test_nodes_of_gke_that_were_granted_do_not_come_back_at_once(reported: Any) -> None:
    for config, said in (({"flex_start": True}, True), ({"spot": True}, True), ({"spot": False}, False)):
        old = pool(config={"spot": False, **config})
        new = pool(config={"spot": False, **config, "image_type": "x"})
        risks = reported(STAYS, ("google_container_node_pool.gpu", old, new)).risks
        (risk,) = (each for each in risks if each.name == "nodes_restarted")
        assert ("has to obtain new ones" in risk.help) is said


POOL = {
    "name": "gpu",
    "node_count": 4,
    "node_config": [{"machine_type": "a3-megagpu-8g", "spot": True, "labels": {"a": "b"}}],
}


def pool(**changes: Any) -> dict[str, Any]:
    config = {**POOL["node_config"][0], **changes.pop("config", {})}  # type: ignore[index]
    return {**POOL, "node_config": [config], **changes}


@pytest.mark.parametrize(
    ("after", "names"),
    [
        (pool(node_count=2), {"nodes_removed"}),
        (pool(node_count=6), {"quota_needed"}),
        (pool(config={"machine_type": "a3-highgpu-8g"}), {"nodes_restarted", "quota_needed"}),
        (pool(config={"labels": {"a": "c"}}), set()),
        (None, {"pool_removed"}),
    ],
)
def test_what_happens_to_a_node_pool(found: Any, after: dict[str, Any] | None, names: set[str]) -> None:
    assert set(found(STAYS, ("google_container_node_pool.gpu", pool(), after))) == names


def test_a_renamed_pool_is_one_that_goes_and_one_that_comes(found: Any) -> None:
    names = found(
        STAYS,
        ("google_container_node_pool.gpu", pool(), None),
        ("google_container_node_pool.big", None, pool(name="big")),
    )
    assert names == {"pool_renamed": "high"}


def test_autoscaled_pools_count_from_the_least_to_the_most(tmp_path: Path) -> None:
    scaled = {
        **POOL,
        "autoscaling": [{"min_node_count": 0, "max_node_count": 4}],
        "node_locations": ["a", "b"],
    }
    file = tmp_path / "stack.json"
    entries = [entry("google_container_node_pool.gpu", None, scaled)]
    file.write_text(json.dumps({"format_version": "1.2", "resource_changes": entries}))
    report = assemble(gather_plans([file]))
    (row,) = report.capacity
    assert (row.after.nodes, row.after.most_nodes, row.after.most_accelerators) == (0, 8, 64)
    assert report.cost.per_hour == round(8 * 28.17, 2)


def test_a_new_zone_moves_nobody(found: Any) -> None:
    before, after = pool(node_locations=["a"]), pool(node_locations=["a", "b"])
    assert "nodes_moved" not in found(STAYS, ("google_container_node_pool.gpu", before, after))


def test_zones_of_the_cluster_are_those_of_pools_without(found: Any) -> None:
    before, after = ({**private(nodes=True), "node_locations": zones} for zones in (["a", "b"], ["a"]))
    own = ("google_container_node_pool.own", pool(node_locations=["a"]), pool(node_locations=["a"]))
    heir = ("google_container_node_pool.heir", pool(), pool())
    assert "nodes_moved" not in found(STAYS, (CLUSTER, before, after), own)
    assert found(STAYS, (CLUSTER, before, after), own, heir)["nodes_moved"] == "high"


SPECIFIC = {"reservation_affinity": [{"consume_reservation_type": "SPECIFIC_RESERVATION", "values": ["r"]}]}


def test_a_reservation_needs_no_quota(found: Any) -> None:
    reserved = pool(config={"spot": False, **SPECIFIC})
    assert found(STAYS, ("google_container_node_pool.gpu", None, reserved)) == {}
    template = {
        "machine_type": "a3-megagpu-8g",
        "metadata": {"enable-oslogin": "TRUE"},
        "reservation_affinity": [{"type": "SPECIFIC_RESERVATION"}],
    }
    group = {"name": "g", "target_size": 2, "version": [{"instance_template": "t"}]}
    added = (
        ("google_compute_instance_template.t", None, template),
        ("google_compute_instance_group_manager.g", None, group),
    )
    assert found(STAYS, *added) == {}
    azure = {"name": "s", "sku": "Standard_ND96isr_H200_v5", "instances": 2}
    held = {**azure, "capacity_reservation_group_id": "/g"}
    assert found(STAYS, ("azurerm_linux_virtual_machine_scale_set.s", None, held)) == {}
    assert found(STAYS, ("azurerm_linux_virtual_machine_scale_set.s", None, azure)) == {"quota_needed": "low"}


@pytest.mark.parametrize("path", ["size", "encryption_at_host_enabled"])
def test_what_azure_changes_of_a_stopped_machine_only_is_said(found: Any, path: str) -> None:
    head = {"name": "vmss-head", "size": "Standard_D4s_v5", "encryption_at_host_enabled": False}
    after = {**head, path: "Standard_D8s_v5" if path == "size" else True}
    assert found(STAYS, ("azurerm_linux_virtual_machine.head", head, after)) == {"nodes_restarted": "medium"}


def moves(reported: Callable[..., Report], *changes: Change) -> list[str]:
    return [each.message for each in reported(STAYS, *changes).risks if each.name == "nodes_moved"]


GPU = "google_container_node_pool.gpu"


@pytest.mark.parametrize(
    ("before", "after", "nodes", "said"),
    [
        ("ab", "b", 4, "leaves a for b: GKE empties it, and its 4 nodes there go"),
        ("ab", "b", 1, "leaves a for b: GKE empties it, and its 1 node there goes"),
        ("abc", "cd", 3, "leaves a, b for c, d: GKE empties them, and its 6 nodes there go"),
        ("a", "b", 2, "leaves a for b: GKE empties it, and its 2 nodes there go"),
        ("a", "ab", 2, ""),
        ("ab", "ab", 2, ""),
        ("ab", "", 2, ""),
        ("", "b", 2, ""),
    ],
)
def test_nodes_of_zones_that_a_pool_leaves_are_counted(
    reported: Callable[..., Report], before: str, after: str, nodes: int, said: str
) -> None:
    """`node_count` is of each zone."""
    was, now = (pool(node_count=nodes, node_locations=list(zones) or None) for zones in (before, after))
    found = moves(reported, (GPU, was, now))
    what = "it" if nodes == 1 else "them"
    expected = [f"{said} with what runs on {what}"] if said else []
    assert ["".join(each.partition("leaves ")[1:]) for each in found] == expected


@pytest.mark.parametrize(
    ("before", "after", "heirs", "said"),
    [
        ("ab", "a", 1, ["leaves b: GKE empties what node pool p0 has there"]),
        ("abc", "a", 2, ["leaves b, c: GKE empties what node pool p0, node pool p1 have there"]),
        ("ab", "a", 0, []),
        ("a", "ab", 1, []),
        ("ab", "", 1, []),
    ],
)
def test_pools_without_zones_move_with_their_cluster(
    reported: Callable[..., Report], before: str, after: str, heirs: int, said: list[str]
) -> None:
    was, now = ({**private(nodes=True), "node_locations": list(zones) or None} for zones in (before, after))
    own = ("google_container_node_pool.own", pool(node_locations=["a"]), pool(node_locations=["a"]))
    new = ("google_container_node_pool.new", None, pool())
    pools = (pool(name=f"p{each}") for each in range(heirs))
    those = [(f"google_container_node_pool.{each['name']}", each, each) for each in pools]
    found = moves(reported, (CLUSTER, was, now), own, new, *those)
    assert ["".join(each.partition("leaves ")[1:]) for each in found] == [
        f"{each}, with what runs on it" for each in said
    ]
