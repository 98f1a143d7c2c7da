"""The truths of managed file systems: sizes, the way into the network, what holds what."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import pytest

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from conftest import Api

    from clusterprint_simcloud import Record

FILESTORE = "google_filestore_instance"
LUSTRE = "google_lustre_instance"
PARALLELSTORE = "google_parallelstore_instance"


def network(api: Api) -> Record:
    return api.create("google_compute_network", name="n", auto_create_subnetworks=False)


def connect(api: Api, inside: Record) -> Record:
    api.create(
        "google_compute_global_address",
        name="range",
        purpose="VPC_PEERING",
        address_type="INTERNAL",
        address="10.255.240.0",
        prefix_length=20,
        network=inside.id,
    )
    return api.create(
        "google_service_networking_connection",
        network=inside.id,
        service="servicenetworking.googleapis.com",
        reserved_peering_ranges=["range"],
    )


def filestore(api: Api, inside: Record, **more: Any) -> Record:
    size, mode = more.pop("size", 1024), more.pop("mode", "PRIVATE_SERVICE_ACCESS")
    backup = more.pop("backup", None)
    wanted = {"name": "home", "location": "us-central1-a", "tier": "ZONAL", **more}
    return api.create(
        FILESTORE,
        file_shares=[{"name": "share", "capacity_gb": size, "source_backup": backup}],
        networks=[{"network": inside.id, "modes": ["MODE_IPV4"], "connect_mode": mode}],
        **wanted,
    )


def lustre(api: Api, inside: Record, **more: Any) -> Record:
    wanted = {"capacity_gib": "18000", "per_unit_storage_throughput": "500", "filesystem": "scratch", **more}
    return api.create(LUSTRE, instance_id="scratch", location="us-central1-a", network=inside.id, **wanted)


def parallelstore(api: Api, inside: Record, **more: Any) -> Record:
    wanted = {"capacity_gib": "12000", "location": "us-central1-a", **more}
    return api.create(PARALLELSTORE, instance_id="fast", network=inside.id, **wanted)


def test_the_network_is_connected_first(api: Api) -> None:
    inside = network(api)
    for make in (filestore, lustre, parallelstore):
        with pytest.raises(ApiError, match="no private services access connection"):
            make(api, inside)
    filestore(api, inside, mode="DIRECT_PEERING")


def test_the_address_is_in_the_reserved_range(api: Api) -> None:
    inside = network(api)
    connect(api, inside)
    assert filestore(api, inside).state["networks"][0]["ip_addresses"] == ["10.255.240.2"]
    assert lustre(api, inside).state["mount_point"] == "10.255.240.10@tcp:/scratch"
    points = ["10.255.240.18", "10.255.240.19", "10.255.240.20"]
    assert parallelstore(api, inside).state["access_points"] == points


def test_a_connection_in_use_stays(api: Api) -> None:
    inside = network(api)
    connection = connect(api, inside)
    made = lustre(api, inside)
    for one in (connection, inside):
        with pytest.raises(ApiError, match="already being used"):
            api.delete(one)
    api.delete(made)
    api.delete(connection)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"size": 1100}, "Invalid capacity"),
        ({"tier": "BASIC_HDD", "protocol": "NFS_V4_1"}, "not available in tier"),
        ({"tier": "REGIONAL"}, "not available in 'us-central1-a'"),
        ({"location": "us-central1"}, "not available in 'us-central1'"),
        ({"tier": "FAST"}, "Invalid tier"),
        ({"backup": "projects/other-project/locations/us-east1/backups/home"}, "is in another project"),
    ],
)
def test_what_filestore_refuses(api: Api, more: dict[str, Any], words: str) -> None:
    inside = network(api)
    connect(api, inside)
    with pytest.raises(ApiError, match=words):
        filestore(api, inside, **more)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"capacity_gib": "20000"}, "Invalid capacity"),
        ({"per_unit_storage_throughput": "400"}, "Invalid per_unit_storage_throughput"),
    ],
)
def test_what_lustre_refuses(api: Api, more: dict[str, Any], words: str) -> None:
    inside = network(api)
    connect(api, inside)
    with pytest.raises(ApiError, match=words):
        lustre(api, inside, **more)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"capacity_gib": "8000"}, "Invalid capacity"),
        ({"capacity_gib": "12288"}, "Invalid capacity"),
        ({"location": "us-central1"}, "Invalid location"),
    ],
)
def test_what_parallelstore_refuses(api: Api, more: dict[str, Any], words: str) -> None:
    inside = network(api)
    connect(api, inside)
    with pytest.raises(ApiError, match=words):
        parallelstore(api, inside, **more)


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        (("36000", "18000"), "cannot be decreased"),
        (("3060000", "3168000"), "cannot leave its range"),
        (("18000", "36000"), ""),
    ],
)
def test_sizes_that_lustre_refuses_later(api: Api, sizes: tuple[str, str], words: str) -> None:
    inside = network(api)
    connect(api, inside)
    made = lustre(api, inside, capacity_gib=sizes[0])
    with pytest.raises(ApiError, match=words) if words else nullcontext():
        api.update(made, capacity_gib=sizes[1])


@pytest.mark.parametrize(
    ("tier", "sizes", "words"),
    [
        ("ZONAL", (2048, 1024), ""),
        ("ZONAL", (9984, 10240), "cannot leave its range"),
        ("ZONAL", (10240, 9984), "cannot leave its range"),
        ("BASIC_HDD", (2048, 1024), "cannot be made smaller"),
        ("BASIC_HDD", (9984, 20480), ""),
    ],
)
def test_sizes_that_filestore_refuses_later(api: Api, tier: str, sizes: tuple[int, int], words: str) -> None:
    inside = network(api)
    connect(api, inside)
    made = filestore(api, inside, tier=tier, size=sizes[0])
    with pytest.raises(ApiError, match=words) if words else nullcontext():
        api.update(made, file_shares=[{"name": "share", "capacity_gb": sizes[1]}])


def test_a_protected_instance_stays(api: Api) -> None:
    inside = network(api)
    made = filestore(api, inside, mode="DIRECT_PEERING", deletion_protection_enabled=True)
    with pytest.raises(ApiError, match="deletion protection"):
        api.delete(made)


def test_an_instance_of_a_basic_tier_cannot_be_protected(api: Api) -> None:
    with pytest.raises(ApiError, match="not supported for tier BASIC_HDD"):
        filestore(
            api, network(api), mode="DIRECT_PEERING", tier="BASIC_HDD", deletion_protection_enabled=True
        )


def test_a_snapshot_is_in_an_instance_that_takes_some(api: Api) -> None:
    inside = network(api)
    connect(api, inside)
    home = filestore(api, inside)
    filestore(api, inside, name="old", tier="BASIC_HDD")
    place = {"location": "us-central1-a", "name": "before"}
    snapshot = api.create("google_filestore_snapshot", instance="home", **place)
    with pytest.raises(ApiError, match="not supported for tier BASIC_HDD"):
        api.create("google_filestore_snapshot", instance="old", **place)
    with pytest.raises(ApiError, match="'away' was not found"):
        api.create("google_filestore_snapshot", instance="away", **place)
    with pytest.raises(ApiError, match=r"in use|being used"):
        api.delete(home)
    api.delete(snapshot)
    api.delete(home)


def test_a_subnetwork_leaves_reserved_ranges_alone(api: Api) -> None:
    inside = network(api)
    connect(api, inside)
    with pytest.raises(ApiError, match="conflicts with"):
        api.create(
            "google_compute_subnetwork",
            name="s",
            region="us-central1",
            network=inside.id,
            ip_cidr_range="10.255.0.0/16",
        )


POOL = "google_netapp_storage_pool"
NETAPP = "google_netapp_volume"


def connect_netapp(api: Api, inside: Record) -> Record:
    api.create(
        "google_compute_global_address",
        name="netapp",
        purpose="VPC_PEERING",
        address_type="INTERNAL",
        address="10.254.240.0",
        prefix_length=20,
        network=inside.id,
    )
    return api.create(
        "google_service_networking_connection",
        network=inside.id,
        service="netapp.servicenetworking.goog",
        reserved_peering_ranges=["netapp"],
    )


def pool(api: Api, inside: Record, **more: Any) -> Record:
    wanted = {"capacity_gib": "2048", "service_level": "PREMIUM", **more}
    return api.create(POOL, **{"name": "eda", "location": "us-central1", "network": inside.id, **wanted})


def volume(api: Api, **more: Any) -> Record:
    wanted = {"name": "eda", "share_name": "eda", "capacity_gib": "2048", "protocols": ["NFSV3"], **more}
    return api.create(NETAPP, **{"location": "us-central1", "storage_pool": "eda", **wanted})


def test_netapp_has_a_connection_of_its_own(api: Api) -> None:
    inside = network(api)
    connect(api, inside)
    with pytest.raises(ApiError, match=r"netapp\.servicenetworking\.goog"):
        pool(api, inside)
    connection = connect_netapp(api, inside)
    made = pool(api, inside)
    assert volume(api).state["mount_options"][0]["export_full"] == "10.254.240.4:/eda"
    for one in (connection, made):
        with pytest.raises(ApiError, match="already being used"):
            api.delete(one)


def test_a_pool_holds_what_fits(api: Api) -> None:
    inside = network(api)
    connect_netapp(api, inside)
    with pytest.raises(ApiError, match="Invalid pool capacity"):
        pool(api, inside, capacity_gib="1024")
    with pytest.raises(ApiError, match="Storage pool 'eda' was not found"):
        volume(api)
    pool(api, inside)
    volume(api, capacity_gib="1500")
    with pytest.raises(ApiError, match="not enough capacity"):
        volume(api, name="more", share_name="more", capacity_gib="600")


def test_pools_of_level_flex_are_in_a_zone(api: Api) -> None:
    inside = network(api)
    connect_netapp(api, inside)
    flex = {"service_level": "FLEX", "type": "UNIFIED", "capacity_gib": "1024", "location": "us-central1-a"}
    for more, words in (
        ({"service_level": "PREMIUM", "capacity_gib": "2048"}, "Only Flex pools are zonal"),
        ({"capacity_gib": "1023"}, "Invalid pool capacity"),
        ({"total_throughput_mibps": "32"}, "Invalid throughput"),
    ):
        with pytest.raises(ApiError, match=words):
            pool(api, inside, **{**flex, **more})
    pool(api, inside, **flex, total_throughput_mibps="256")
    with pytest.raises(ApiError, match="Storage pool 'eda' was not found"):
        volume(api, capacity_gib="1024")
    volume(api, capacity_gib="1024", location="us-central1-a")


BUCKET = "google_storage_bucket"
CACHE = "google_storage_anywhere_cache"


def test_a_bucket_of_class_rapid_is_in_one_zone(api: Api) -> None:
    placed = {"custom_placement_config": [{"data_locations": ["US-CENTRAL1-A"]}]}
    folders = {"hierarchical_namespace": [{"enabled": True}]}
    fast = {"name": "fast", "location": "US-CENTRAL1", "storage_class": "RAPID"}
    for more, words in (
        (folders, "placed in one zone"),
        (placed, "hierarchical namespace"),
        (
            placed | folders | {"soft_delete_policy": [{"retention_duration_seconds": 604800}]},
            "no soft delete",
        ),
    ):
        with pytest.raises(ApiError, match=words):
            api.create(BUCKET, **fast, **more)
    api.create(BUCKET, **fast, **placed, **folders)


def test_a_cache_is_near_its_bucket_and_keeps_it(api: Api) -> None:
    bucket = api.create(BUCKET, name="data", location="US-CENTRAL1")
    with pytest.raises(ApiError, match="not in the location"):
        api.create(CACHE, bucket="data", zone="us-east1-b")
    cache = api.create(CACHE, bucket="data", zone="us-central1-a")
    with pytest.raises(ApiError, match="already"):
        api.create(CACHE, bucket="data", zone="us-central1-a")
    with pytest.raises(ApiError, match="already being used"):
        api.delete(bucket)
    api.delete(cache)
    api.delete(bucket)
