"""Resources paid by their content: its size is unknown, the price of a GiB is not."""

import pytest

from clusterprint.derived.machines import Machines
from clusterprint.review.by_use import by_use
from clusterprint.review.cost import cost
from clusterprint.review.delta import Resource


@pytest.mark.parametrize(
    ("type_", "values", "told"),
    [
        (
            "google_storage_bucket",
            {"name": "b", "location": "US-CENTRAL1", "storage_class": "RAPID"},
            "bucket b ($0.11 per GiB and month in us-central1)",
        ),
        # where there is no list, there is that of another region
        (
            "google_storage_bucket",
            {"name": "b", "location": "EU", "storage_class": "ARCHIVE"},
            "bucket b ($0.0012 per GiB and month in us-central1)",
        ),
        # what is in it moves from class to class
        (
            "google_storage_bucket",
            {"name": "b", "location": "us-central1", "autoclass": {"enabled": True}},
            "bucket b",
        ),
        (
            "google_storage_bucket",
            {"name": "${terraform_data.suffix.output}", "location": "us-central1"},
            "bucket b ($0.02 per GiB and month in us-central1)",
        ),
        (
            "google_storage_bucket",
            {"name": "train-ckpt-${terraform_data.suffix.output.digits}", "location": "us-central1"},
            "bucket train-ckpt-* ($0.02 per GiB and month in us-central1)",
        ),
        (
            "google_storage_anywhere_cache",
            {"bucket": "b", "zone": "us-central1-a"},
            "cache of b in us-central1-a ($0.09 per GiB and month in us-central1)",
        ),
        (
            "google_storage_anywhere_cache",
            {"bucket": "${google_storage_bucket.b.name}", "zone": "us-central1-a"},
            "cache in us-central1-a ($0.09 per GiB and month in us-central1)",
        ),
        ("azurerm_storage_container", {"name": "data"}, "container data"),
    ],
)
def test_what_is_paid_for_by_use_is_named(type_: str, values: dict[str, object], told: str) -> None:
    assert by_use([Resource("s", type_, "a.b", "a.b", values)]) == [told]


def test_it_is_said_below_the_sums_and_leaves_them_closed() -> None:
    nodes = Machines("a.b", "b", "a2-highgpu-1g", "on_demand", 1, 1, region="us-central1")
    found = cost({"c": ((), (nodes,))}, by_use=["bucket b", "container data"])
    assert found.per_hour == 3.67
    assert "Paid for by what is in them, and so not in the sums: bucket b; container data." in found.note
