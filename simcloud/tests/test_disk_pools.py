"""The truths of storage pools of Hyperdisk: what is sold, what may change, what holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from conftest import Api

    from clusterprint_simcloud import Record

POOL = "google_compute_storage_pool"
DISK = "google_compute_disk"


def pool(api: Api, **more: Any) -> Record:
    wanted = {"pool_provisioned_capacity_gb": "10240", "pool_provisioned_throughput": "100", **more}
    return api.create(
        POOL,
        **{
            "name": "fast",
            "zone": "us-central1-a",
            "storage_pool_type": "hyperdisk-balanced",
            "pool_provisioned_iops": "1000",
            "deletion_protection": False,
            **wanted,
        },
    )


@pytest.mark.parametrize("size", ["1024", "10241", "5243904"])
def test_only_some_sizes_are_sold(api: Api, size: str) -> None:
    with pytest.raises(ApiError, match="Invalid pool provisioned capacity"):
        pool(api, pool_provisioned_capacity_gb=size)


def test_iops_are_bought_for_balanced_only(api: Api) -> None:
    with pytest.raises(ApiError, match="IOPS cannot be provisioned"):
        pool(api, storage_pool_type="hyperdisk-throughput")


def test_a_disk_needs_its_pool_and_holds_it(api: Api) -> None:
    place = {"name": "data", "zone": "us-central1-a", "type": "hyperdisk-balanced"}
    path = "projects/{}/zones/us-central1-a/storagePools/fast"
    made = pool(api)
    with pytest.raises(ApiError, match="cannot be found"):
        api.create(DISK, **place, storage_pool=made.id.replace("fast", "other"))
    assert made.id == path.format(made.state["project"])
    disk = api.create(DISK, **place, storage_pool=made.id)
    with pytest.raises(ApiError, match=r"in use|already being used"):
        api.delete(made)
    api.delete(disk)
    api.delete(made)


def test_what_is_protected_stays(api: Api) -> None:
    made = pool(api, deletion_protection=True)
    with pytest.raises(ApiError, match="deletion_protection"):
        api.delete(made)
