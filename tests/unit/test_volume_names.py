from typing import Any

import pytest

from clusterprint.blueprint.volumes import VmVolume
from clusterprint.derived import volume_names
from clusterprint.derived.name_forms import RESOURCE


def named(zone: str = "us-central1-a", **said: Any) -> str:
    volume = VmVolume(name="v", mount="/v", **said)
    return volume_names.of_machines("lab", volume, zone)


@pytest.mark.parametrize(
    "said",
    [
        {
            "kind": "filestore",
            "size_gb": 2560,
            "zone": "us-central1-a",
            "tier": "zonal",
            "protocol": "nfs_v3",
        },
        {"kind": "lustre", "size_gb": 36000, "throughput_mbps_per_tib": 500},
        {"kind": "netapp", "size_gb": 4096, "tier": "premium", "deletion_protection": False},
        {"kind": "disk", "access": "read_only", "type": "hyperdisk-ml"},
    ],
)
def test_what_is_there_anyway_or_can_be_changed_makes_no_other_name(said: dict[str, Any]) -> None:
    assert named(**said) == "lab-v"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("filestore", {"tier": "basic_ssd"}),
        ("filestore", {"protocol": "nfs_v4_1"}),
        ("filestore", {"connect": "direct"}),
        ("filestore", {"source_backup": "projects/my-project/locations/us-central1/backups/homes"}),
        ("lustre", {"throughput_mbps_per_tib": 1000}),
        ("netapp", {"tier": "extreme"}),
        ("netapp", {"protocol": "nfs_v4_1"}),
        ("disk", {"snapshot": "weights"}),
    ],
)
def test_what_makes_another_volume_makes_another_name(kind: str, said: dict[str, Any]) -> None:
    name = named(kind=kind, **said)
    assert name.startswith("lab-v-")
    assert name != named(kind=kind)


def test_snapshots_make_names_of_their_own() -> None:
    disks = {named(kind="disk", access="read_only", snapshot=each) for each in ("one", "two")}
    assert len(disks) == 2


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ({"kind": "netapp", "tier": "flex"}, 2),
        ({"kind": "netapp"}, 1),
        ({"kind": "filestore"}, 1),
        ({"kind": "lustre", "throughput_mbps_per_tib": 1000}, 1),
    ],
)
def test_only_shares_of_netapp_have_other_names_in_other_zones(said: dict[str, Any], names: int) -> None:
    assert len({named(zone, **said) for zone in ("us-central1-a", "us-central1-b")}) == names


def test_the_longest_name_is_one_of_google() -> None:
    volume = VmVolume(name="v" * 20, kind="lustre", mount="/v", throughput_mbps_per_tib=1000)
    assert RESOURCE.accepts(volume_names.of_machines("c" * 20, volume, "us-central1-a"))
