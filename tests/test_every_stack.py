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


def test_identities_of_pods_come_after_the_pool_of_identities() -> None:
    """The first cluster of a project makes the pool; before that, IAM says that it does not exist.

    Stacks inside of clusters come later anyway.
    """
    members = [
        each
        for stack in stacks()
        if "kubernetes" not in stack["terraform"]["required_providers"]
        for kind, bodies in stack.get("resource", {}).items()
        if kind.endswith("_iam_member")
        for each in bodies.values()
        if "svc.id.goog" in each["member"]
    ]
    assert members
    waiting = {"google_container_cluster.cluster", "data.google_container_cluster.cluster"}
    assert [each for each in members if not waiting & set(each.get("depends_on", ()))] == []


def test_slices_and_single_hosts_are_placed_as_google_allows() -> None:
    """GKE refuses a topology of one host, and pools that are both reserved and spot."""
    pools = made("google_container_node_pool")
    placed = [each for each in pools if each.get("placement_policy", {}).get("tpu_topology")]
    assert placed
    one_host = {"1x1", "2x2x1"}
    assert [each["name"] for each in placed if each["placement_policy"]["tpu_topology"] in one_host] == []
    spot = [each["node_config"] for each in pools if each["node_config"].get("spot")]
    assert [each for each in spot if each["machine_type"].startswith(("a3-", "a4"))]
    affinities = [each["reservation_affinity"] for each in spot if "reservation_affinity" in each]
    assert {each["consume_reservation_type"] for each in affinities} == {"NO_RESERVATION"}


def described(value: Any) -> Iterator[dict[str, Any]]:
    """All objects in a value, in the JSON texts of it too."""
    if isinstance(value, str) and value.startswith(("{", "[")):
        try:
            value = json.loads(value)
        except ValueError:
            return
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from described(each)


def test_what_mounts_buckets_in_pods_has_no_limits_of_its_own() -> None:
    """Those that GKE gives it end a copy of large files, and a listing of many."""
    annotations = [
        each
        for stack in stacks()
        for each in described(stack.get("resource", {}))
        if each.get("gke-gcsfuse/volumes") == "true"
    ]
    assert annotations
    for part in ("cpu", "memory", "ephemeral-storage"):
        assert {each[f"gke-gcsfuse/{part}-limit"] for each in annotations} == {"0"}
    listing = [each for each in annotations if "gke-gcsfuse/metadata-prefetch-cpu-limit" in each]
    assert listing
    assert {each["gke-gcsfuse/metadata-prefetch-memory-limit"] for each in listing} == {"0"}


def test_nodes_reach_the_management_server_of_lustre() -> None:
    """In networks that a blueprint makes; 988 is the port of today, 6988 that of old clients."""
    looked_at = 0
    for stack in stacks():
        made_here = stack.get("resource", {})
        if "google_lustre_instance" in made_here and "google_compute_network" in made_here:
            rules = [
                allowed
                for each in made_here.get("google_compute_firewall", {}).values()
                for allowed in each.get("allow", ())
            ]
            assert any({"988", "6988"} <= set(each.get("ports", ())) or "ports" not in each for each in rules)
            looked_at += 1
    assert looked_at > 2


def test_kueue_starts_after_the_kinds_of_jobs_and_goes_after_what_is_queued() -> None:
    """It looks once for kinds of jobs, and keeps flavors and queues in use from being destroyed."""
    controllers = {"jobset", "lws", "kubeflow-trainer", "mpi-operator"}
    seen = set()
    for stack in stacks():
        releases = stack.get("resource", {}).get("helm_release", {})
        if "kueue" in releases:
            after = set(releases["kueue"]["depends_on"])
            there = controllers & {
                name for kind in stack["resource"].values() for name in kind if name in controllers
            }
            assert there <= {each.rpartition(".")[2] for each in after}
            assert releases["kueue_queues"]["depends_on"] == ["helm_release.kueue"]
            seen |= there
    assert seen == controllers
