"""Which of Google's accounts get rights on keys that a cluster names."""

from pathlib import Path
from typing import Any

import msgspec

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.resolve import vm
from clusterprint.resolve.gke.cluster import resolve_cluster

KEYS = "projects/security/locations/us-central1/keyRings"
BASE: dict[str, Any] = {
    "clusterprint": "v1",
    "kind": "gke",
    "name": "lab",
    "project": "my-gpu-project",
    "region": "us-central1",
    "zone": "us-central1-a",
    "backend": {"gcs": {"bucket": "my-terraform-state"}},
    "node_pools": [
        {
            "name": name,
            "machine_type": "n2-standard-8",
            "boot_disk_kms_key": f"{KEYS}/{ring}/cryptoKeys/disks",
        }
        for name, ring in (("one", "a"), ("two", "a"), ("three", "b"))
    ],
}


def granted(**cluster: Any) -> list[tuple[str, str]]:
    """Who gets rights on which key; every name is another construct."""
    blueprint = msgspec.convert({**BASE, "cluster": cluster}, GkeBlueprint)
    grants = resolve_cluster(blueprint).key_grants
    assert len({each.name for each in grants}) == len(grants)
    return [(each.agent, each.key.removeprefix(f"{KEYS}/")) for each in grants]


def test_nobody_gets_rights_that_were_not_asked_for() -> None:
    assert granted(secrets_kms_key=f"{KEYS}/a/cryptoKeys/secrets") == []


def test_who_encrypts_gets_them_once_for_each_key() -> None:
    assert granted(grant_kms_keys=True, secrets_kms_key=f"{KEYS}/a/cryptoKeys/disks") == [
        ("container-engine-robot", "a/cryptoKeys/disks"),
        ("compute-system", "a/cryptoKeys/disks"),
        ("compute-system", "b/cryptoKeys/disks"),
    ]


KEY = f"{KEYS}/a/cryptoKeys/all"


def machines(kinds: list[str], **more: Any) -> VmBlueprint:
    """Machines with a created volume of each kind, and one of each that exists."""
    made = [{"name": each, "kind": each, "mount": f"/{each}", "bucket": "my-data"} for each in kinds]
    old = [{**each, "name": f"old-{each['name']}", "create": False, "instance": "x"} for each in made]
    general = {key: BASE[key] for key in BASE if key != "node_pools"}
    nodes = {"machine_type": "n2-standard-8"}
    return msgspec.convert(
        {**general, "kind": "vm", "nodes": nodes, "storage": {"volumes": [*made, *old]}, **more}, VmBlueprint
    )


def test_whoever_encrypts_data_of_machines_may_use_their_key() -> None:
    (plan,) = vm.resolve(machines(["bucket", "filestore", "lustre"], kms_key=KEY), Path())
    assert [(each.agent, each.key) for each in plan.key_grants] == [
        ("compute-system", KEY),
        ("gs-project-accounts", KEY),
        ("cloud-filer", KEY),
        ("gcp-sa-lustre", KEY),
    ]
    assert "cloudkms.googleapis.com" in plan.services
    (plan,) = vm.resolve(machines([], kms_key=KEY), Path())
    assert [each.agent for each in plan.key_grants] == ["compute-system"]


def test_the_owner_of_a_key_may_grant_it_in_place_of_the_cluster() -> None:
    for more in ({"kms_key": KEY, "grant_kms_key": False}, {}):
        (plan,) = vm.resolve(machines(["bucket"], **more), Path())
        assert plan.key_grants == ()
        assert "cloudkms.googleapis.com" not in plan.services
        assert plan.groups[0].template.kms_key == more.get("kms_key", "")


def test_images_are_encrypted_and_another_key_is_another_image() -> None:
    build = {"machine_type": "n2-standard-8", "image_build": {"script": {"inline": "true"}}}
    plain, own, other = (
        vm.resolve(machines([], nodes=build, **more), Path())[0].images[0]
        for more in ({}, {"kms_key": KEY}, {"kms_key": f"{KEY}2"})
    )
    assert len({plain.name, own.name, other.name}) == 3
    assert f"--boot-disk-kms-key={KEY}" in own.environment["MACHINE_OPTIONS"].split()
    assert own.environment["IMAGE_OPTIONS"] == f"--kms-key={KEY}"
    assert plain.environment["IMAGE_OPTIONS"] == ""
