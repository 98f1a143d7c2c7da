"""Invariants of all stacks: a real cloud would refuse others, or lose something."""

import json
from collections.abc import Iterator
from typing import Any

from support import GOLDENS

TYPE = "placement_policy[0].type"


def stacks() -> Iterator[dict[str, Any]]:
    for golden in sorted(GOLDENS.glob("*.tf.json")):
        document = json.loads(golden.read_text("utf-8"))
        yield from [document] if "terraform" in document else document.values()


def made(kind: str) -> list[dict[str, Any]]:
    """All resources of a type; there have to be some, or nothing would be looked at."""
    found = [body for stack in stacks() for body in stack.get("resource", {}).get(kind, {}).values()]
    assert found, kind
    return found


def test_clusters_are_entered_with_the_credentials_that_terraform_has() -> None:
    """The plug-in would take gcloud's account otherwise: none in CI, and another one on a laptop."""
    ways = [
        way
        for stack in stacks()
        for provider in ("kubernetes", "helm")
        for each in stack.get("provider", {}).get(provider, ())
        for way in (each.get("kubernetes", {}).get("exec"), *each.get("exec", ()))
        if way
    ]
    assert ways
    assert {tuple(way["args"]) for way in ways} == {("--use_application_default_credentials",)}


def test_a_node_that_is_ordered_by_name_has_something_to_keep() -> None:
    """Nobody says whether an empty configuration is kept, and listed."""
    assert all(each["preserved_state"]["metadata"] for each in made("google_compute_per_instance_config"))


def test_a_pool_does_not_insist_on_a_type_of_placement_that_is_not_returned() -> None:
    """By a workload policy, of whatever machines: GKE forgets the type, and a plan would replace the pool."""
    placed = [
        each
        for each in made("google_container_node_pool")
        if each.get("placement_policy", {}).get("policy_name")
    ]
    assert {each["node_config"]["machine_type"].partition("-")[0] for each in placed} >= {"a4x", "tpu7x"}
    kept = [each["name"] for each in placed if TYPE not in each["lifecycle"]["ignore_changes"]]
    assert kept == []


def test_a_peering_with_google_holds_up_no_destroy() -> None:
    peerings = made("google_service_networking_connection")
    ours = [each for each in peerings if each["network"].startswith("${google_compute_network.")]
    assert ours
    assert {each["deletion_policy"] for each in ours} == {"ABANDON"}


def test_nodes_may_list_the_part_of_a_bucket_that_they_read() -> None:
    """The name of what is listed is the bucket's: a condition on names of objects alone refuses it."""
    conditions = [
        each["condition"]["expression"]
        for each in made("google_storage_bucket_iam_member")
        if "condition" in each
    ]
    copied = [each for each in conditions if "/files/" in each]
    assert copied
    assert [each for each in copied if "objectListPrefix" not in each] == []


def test_what_encrypts_its_memory_is_never_moved_while_it_runs() -> None:
    sealed = [
        each for each in made("google_compute_instance_template") if "confidential_instance_config" in each
    ]
    assert sealed
    assert {each["scheduling"]["on_host_maintenance"] for each in sealed} == {"TERMINATE"}


def test_pools_of_flex_start_have_no_settings_of_upgrades() -> None:
    """GKE has its own for them, so that each plan would change what it returns."""
    flexible = [each for each in made("google_container_node_pool") if each["node_config"].get("flex_start")]
    assert flexible
    assert [each["name"] for each in flexible if "upgrade_settings" in each] == []


def test_requests_for_nodes_are_of_one_pod_set() -> None:
    """GKE refuses a request for pods of several templates, and Kueue one that it may not repeat."""
    found = [
        one["spec"]
        for release in made("helm_release")
        for value in release.get("values", ())
        for one in json.loads(value).get("objects", {}).values()
        if one["kind"] == "ProvisioningRequestConfig"
    ]
    assert found
    for spec in found:
        assert spec["podSetMergePolicy"] == "IdenticalWorkloadSchedulingRequirements"
        assert spec["managedResources"]
        assert spec["retryStrategy"]["backoffLimitCount"] > 3
