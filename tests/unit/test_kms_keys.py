"""Which of Google's accounts get rights on keys that a cluster names."""

from pathlib import Path
from typing import Any

import msgspec

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.resolve import gke, ray, vm
from clusterprint.resolve.gke.cluster import resolve_cluster
from clusterprint.resolve.gke.storage_classes import resolve_classes

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


ALL_OF_GKE: dict[str, Any] = {
    **BASE,
    "kms_key": KEY,
    "node_pools": [
        {"name": "own", "machine_type": "n2-standard-8", "boot_disk_kms_key": f"{KEY}-own"},
        {"name": "cpu", "machine_type": "n2-standard-8"},
    ],
    "compute_classes": [
        {"name": "burst", "prefer": ["cpu"], "auto_create": {"machine_type": "n2-standard-8", "max_nodes": 2}}
    ],
    "registry": {"docker": True},
    "secrets": [{"name": "token", "create": True, "location": "us-central1"}],
    "storage": {
        "volumes": [
            {"name": "data", "kind": "bucket", "bucket": "my-data"},
            {"name": "local", "kind": "disk", "size_gb": 100},
            {"name": "home", "kind": "filestore"},
        ],
        "disk_classes": [{"name": "fast", "type": "pd-ssd"}],
        "file_classes": [{"name": "shared", "kind": "filestore"}],
    },
    "workloads": {"tpu_provisioner": {"image": "us-docker.pkg.dev/p/r/i@sha256:" + "0" * 64, "nodes": {}}},
}


def test_all_that_a_gke_cluster_stores_has_its_key() -> None:
    blueprint = msgspec.convert(ALL_OF_GKE, GkeBlueprint)
    plans: Any = gke.resolve(blueprint, Path())
    cluster, workloads = plans
    assert cluster.control_plane.secrets_kms_key == KEY
    assert cluster.system_pool.node.boot_disk_kms_key == KEY
    assert [each.node.boot_disk_kms_key for each in cluster.pools] == [f"{KEY}-own", KEY]
    assert cluster.compute_classes[0].created.kms_key == KEY
    assert [each.kms_key for each in cluster.buckets] == [KEY]
    assert [each.kms_key for each in cluster.volumes.filestores] == [KEY]
    assert [each.kms_key for each in cluster.builds.registries] == [KEY]
    assert [each.kms_key for each in cluster.secrets] == [KEY]
    assert workloads.provisioner.settings["GCP_NODE_BOOT_DISK_KMS_KEY"] == KEY
    parameters = {each.name: each.parameters for each in resolve_classes(blueprint)}
    assert parameters["fast"]["disk-encryption-kms-key"] == KEY
    assert parameters["lab-local"]["disk-encryption-kms-key"] == KEY
    assert parameters["shared"]["instance-encryption-kms-key"] == KEY
    assert [(each.agent, each.key) for each in cluster.key_grants] == [
        (agent, KEY)
        for agent in (
            "container-engine-robot",
            "compute-system",
            "gs-project-accounts",
            "cloud-filer",
            "gcp-sa-artifactregistry",
            "gcp-sa-secretmanager",
        )
    ]
    assert "cloudkms.googleapis.com" in cluster.services


def test_a_key_of_one_purpose_is_granted_by_its_own_field() -> None:
    both = {**ALL_OF_GKE, "cluster": {"secrets_kms_key": f"{KEY}-secrets", "grant_kms_keys": True}}
    cluster = resolve_cluster(msgspec.convert(both, GkeBlueprint))
    assert cluster.control_plane is not None
    assert cluster.control_plane.secrets_kms_key == f"{KEY}-secrets"
    granted_keys = [(each.agent, each.key.removeprefix(KEY)) for each in cluster.key_grants]
    assert granted_keys[:3] == [
        ("container-engine-robot", "-secrets"),
        ("compute-system", "-own"),
        ("compute-system", ""),
    ]
    only = {**both, "grant_kms_key": False}
    assert len(resolve_cluster(msgspec.convert(only, GkeBlueprint)).key_grants) == 2


def test_an_existing_cluster_keeps_its_keys() -> None:
    existing = {
        **{key: value for key, value in BASE.items() if key != "node_pools"},
        "kms_key": KEY,
        "cluster": {"existing": {"name": "there", "location": "us-central1"}},
    }
    assert resolve_cluster(msgspec.convert(existing, GkeBlueprint)).key_grants == ()
    pools = [{"name": "cpu", "machine_type": "n2-standard-8", "count": 1}]
    plan = resolve_cluster(msgspec.convert({**existing, "node_pools": pools}, GkeBlueprint))
    assert plan.control_plane is None
    assert plan.pools[0].node.boot_disk_kms_key == KEY
    assert [each.agent for each in plan.key_grants] == ["compute-system"]


def test_ray_has_the_key_of_its_cluster() -> None:
    blueprint = {
        **{key: value for key, value in ALL_OF_GKE.items() if key not in ("workloads", "compute_classes")},
        "kind": "ray",
        "ray": {"workers": [{"name": "cpu", "pool": "cpu", "max": 4}]},
    }
    plans: Any = ray.resolve(msgspec.convert(blueprint, RayBlueprint), Path())
    cluster = plans[0]
    assert cluster.system_pool.node.boot_disk_kms_key == KEY
    assert {each.kms_key for each in (*cluster.builds.registries, *cluster.secrets, *cluster.buckets)} == {
        KEY
    }
