from typing import Any

import pytest

from clusterprint.lifecycle.inventory import guarded_by, guarded_in, protected_in, read_inventory

NETWORK, BUCKET = "google_compute_network.primary", "google_storage_bucket.data"
SHARE, CLUSTER = "google_filestore_instance.home", "google_container_cluster.cluster"


def state(*resources: dict[str, Any]) -> dict[str, Any]:
    return {"version": 4, "serial": 7, "lineage": "a", "resources": list(resources)}


def resource(address: str, *needs: str, mode: str = "managed", **attributes: Any) -> dict[str, Any]:
    kind, _, name = address.partition(".")
    instance = {"attributes": {"name": name, **attributes}, "dependencies": list(needs)}
    return {"mode": mode, "type": kind, "name": name, "instances": [instance]}


STATE = state(
    resource("google_project.this", mode="data"),
    resource(NETWORK),
    resource("google_compute_subnetwork.nodes", NETWORK),
    resource(SHARE, NETWORK, deletion_protection_enabled=False),
    resource(BUCKET, force_destroy=False),
    resource("google_storage_bucket.scratch", force_destroy=True),
    resource(CLUSTER, "google_compute_subnetwork.nodes", NETWORK, deletion_protection=True),
)


def test_data_is_what_is_nowhere_else_unless_it_is_to_go_with_its_bucket() -> None:
    assert [each.address for each in read_inventory(STATE).data] == [SHARE, BUCKET]


def test_what_only_leads_to_data_is_none() -> None:
    volume, claim = "kubernetes_persistent_volume_v1", "kubernetes_persistent_volume_claim_v1"
    found = read_inventory(
        state(
            resource(f"{volume}.kept", spec=[{"persistent_volume_reclaim_policy": "Retain"}]),
            resource(f"{volume}.lost", spec=[{"persistent_volume_reclaim_policy": "Delete"}]),
            resource(f"{claim}.kept", spec=[{"volume_name": "home.training"}]),
            resource(f"{claim}.lost", spec=[{"volume_name": "pvc-1"}]),
        )
    )
    assert [each.address for each in found.data] == [f"{volume}.lost", f"{claim}.lost"]


def test_what_data_depends_on_stays_with_it() -> None:
    found = read_inventory(STATE)
    assert found.kept_for(found.data) == {SHARE, BUCKET, NETWORK}
    assert found.kept_for(()) == frozenset()


def test_what_keeps_data_stays_with_it_and_goes_with_it() -> None:
    share, other, guard = (
        "azurerm_storage_share.sets",
        "azurerm_linux_virtual_machine.head",
        "terraform_data.kept",
    )
    said = {"value": {"volume": "sets", "may_be_lost": False}, "type": ["object", {}]}
    found = read_inventory(
        state(
            resource(share),
            resource(other),
            resource(guard, share, input=said),
            resource("terraform_data.over", share, input={"value": {"end": "2026-11-25"}}),
            resource("terraform_data.filled", share),
            resource("terraform_data.elsewhere", other, input=said),
        )
    )
    assert found.kept_for(found.data) == {share, guard}
    assert found.kept_for(()) == frozenset()


def test_protections_are_those_of_what_goes() -> None:
    found = read_inventory(STATE)
    assert found.protections(with_data=False, kept=frozenset([BUCKET])) == [(CLUSTER, "deletion_protection")]
    assert found.protections(with_data=True, kept=frozenset()) == [
        (BUCKET, "force_destroy"),
        (CLUSTER, "deletion_protection"),
    ]


def test_the_next_version_of_the_state_protects_nothing_that_goes() -> None:
    found = read_inventory(STATE)
    changed = found.unprotected(with_data=True, kept=frozenset([BUCKET]))
    assert changed["serial"] == 8
    assert read_inventory(changed).protections(with_data=True, kept=frozenset()) == [
        (BUCKET, "force_destroy")
    ]
    assert STATE["serial"] == 7


def test_a_deletion_policy_goes_with_data_only() -> None:
    disk = "google_compute_disk.weights"
    found = read_inventory(
        state(resource(disk, deletion_policy="PREVENT"), resource(NETWORK, deletion_policy="DELETE"))
    )
    assert found.protections(with_data=False, kept=frozenset()) == []
    assert found.protections(with_data=True, kept=frozenset()) == [(disk, "deletion_policy")]
    changed = found.unprotected(with_data=True, kept=frozenset())
    (weights,) = changed["resources"][0]["instances"]
    assert weights["attributes"]["deletion_policy"] == "DELETE"


def test_a_pool_of_disks_stays_with_data_as_long_as_it_is_protected() -> None:
    kept, free = "google_compute_storage_pool.kept", "google_compute_storage_pool.free"
    service = "google_project_service.compute"
    found = read_inventory(
        state(
            resource(service),
            resource(kept, service, deletion_protection=True),
            resource(free, service, deletion_protection=False),
        )
    )
    assert [each.address for each in found.data] == [kept]
    assert found.kept_for(found.data) == {kept, service}
    assert found.protections(with_data=False, kept=frozenset()) == []
    assert found.protections(with_data=True, kept=frozenset()) == [(kept, "deletion_protection")]
    changed = found.unprotected(with_data=True, kept=frozenset())
    assert read_inventory(changed).protections(with_data=True, kept=frozenset()) == []
    assert read_inventory(changed).data == ()
    again = read_inventory(changed).protected_as(found)
    assert again is not None
    assert [each.address for each in read_inventory(again).data] == [kept]


def plan(address: str, *actions: str, **before: Any) -> dict[str, Any]:
    kind = address.partition(".")[0]
    change = {"actions": list(actions), "before": {"name": "home", **before}, "after": None}
    return {"resource_changes": [{"address": address, "type": kind, "change": change}]}


def test_what_the_cloud_itself_protects_is_said_with_the_command_that_ends_it() -> None:
    place: dict[str, Any] = {"project": "p", "location": "us-central1-a", "deletion_protection_enabled": True}
    ((address, command, is_volume),) = guarded_in(plan(SHARE, "delete", **place))
    assert (address, is_volume) == (SHARE, True)
    assert command.startswith("gcloud filestore instances update home --no-deletion-protection")
    assert command.endswith("--location=us-central1-a --project=p")
    assert guarded_in(plan(SHARE, "no-op", **place)) == []
    assert guarded_in(plan(SHARE, "delete", **{**place, "deletion_protection_enabled": False})) == []
    assert guarded_in(plan(NETWORK, "delete")) == []
    ((_, command, is_volume),) = guarded_in(
        plan("google_compute_instance.head", "delete", project="p", zone="z", deletion_protection=True)
    )
    assert command == "gcloud compute instances update home --no-deletion-protection --zone=z --project=p"
    assert not is_volume, "no blueprint has it"


@pytest.mark.parametrize(
    ("address", "protection"),
    [
        ("google_lustre_instance.scratch", {"deletion_policy": "PREVENT"}),
        ("google_compute_storage_pool.fast", {"deletion_protection": True}),
        (SHARE, {"deletion_protection_enabled": True}),
    ],
)
def test_a_plan_that_deletes_what_is_protected_is_known_before_its_apply(
    address: str, protection: dict[str, Any]
) -> None:
    assert protected_in(plan(address, "delete", **protection)) == [address]
    assert protected_in(plan(address, "create", "delete", **protection)) == [address]
    assert protected_in(plan(address, "update", **protection)) == []
    assert protected_in(plan(address, "delete", **dict.fromkeys(protection, False))) == []


def test_what_holds_no_data_is_none_of_it() -> None:
    assert protected_in(plan(CLUSTER, "delete", deletion_protection=True)) == []
    assert protected_in(plan(BUCKET, "delete", force_destroy=False)) == []
    assert protected_in(plan(BUCKET, "delete", force_destroy=True)) == []
    assert protected_in({}) == []


def test_a_copy_of_data_in_a_cluster_is_none() -> None:
    assert read_inventory(state(resource("kubernetes_secret_v1.token"))).data == ()


def test_only_a_command_ends_what_the_cloud_itself_protects() -> None:
    home = resource(SHARE, deletion_protection_enabled=True)
    cluster = resource(CLUSTER, deletion_protection=True)
    found = read_inventory(state(home, cluster)).protections(with_data=True, kept=frozenset())
    assert found == [(CLUSTER, "deletion_protection")]
    assert guarded_in(plan(CLUSTER, "delete", deletion_protection=True)) == []
    assert [guarded_by(each.partition(".")[0]) for each in (SHARE, CLUSTER, NETWORK)] == [
        "deletion_protection_enabled", "", "",
    ]  # fmt: skip


def test_no_state_holds_nothing() -> None:
    assert read_inventory({}).resources == ()


def test_what_is_left_gets_the_protections_back_that_it_had() -> None:
    before = read_inventory(STATE)
    document = before.unprotected(with_data=True, kept=frozenset())
    document["resources"] = [each for each in document["resources"] if each["name"] != "cluster"]
    after = read_inventory(document).protected_as(before)
    assert after is not None
    assert after["serial"] == document["serial"] + 1
    left = {each["name"]: each["instances"][0]["attributes"] for each in after["resources"]}
    assert left["data"]["force_destroy"] is False
    assert left["scratch"]["force_destroy"] is True, "it had none"
    assert read_inventory(after).protected_as(before) is None, "nothing is left to do"


def test_images_of_machines_are_told_though_no_state_has_them() -> None:
    built = {"project": "my-project", "images": [{"name": "site-1a2b", "family": "site"}]}
    found = read_inventory(state(resource("google_compute_images.built", mode="data", **built)))
    assert (found.images, found.resources) == (("site-1a2b --project=my-project",), ())
    assert read_inventory(STATE).images == ()
