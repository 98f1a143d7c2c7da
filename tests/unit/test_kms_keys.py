"""Which of Google's accounts get rights on keys that a cluster names."""

from typing import Any

import msgspec

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
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
