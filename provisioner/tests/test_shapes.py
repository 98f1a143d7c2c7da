"""Shapes and names that follow from a pod, from a job's name, and from the answers of a cloud."""

import pytest

from clusterprint_provisioner.failures import failure_of
from clusterprint_provisioner.identity import Identity, claim
from clusterprint_provisioner.objects import Container, Meta, Pod, PodSpec, Resources
from clusterprint_provisioner.shapes import ACCELERATOR, TOPOLOGY, Refused, shape_of


@pytest.mark.parametrize(
    ("label", "topology", "chips", "machine", "nodes"),
    [
        ("tpu-v4-podslice", "2x2x1", 4, "ct4p-hightpu-4t", 1),
        ("tpu-v4-podslice", "2x4x4", 4, "ct4p-hightpu-4t", 8),
        ("tpu-v5p-slice", "2x2x2", 4, "ct5p-hightpu-4t", 2),
        ("tpu-v5p-slice", "2x2x4", 4, "ct5p-hightpu-4t", 4),
        ("tpu-v5-lite-podslice", "1x1", 1, "ct5lp-hightpu-1t", 1),
        ("tpu-v5-lite-podslice", "2x4", 4, "ct5lp-hightpu-4t", 2),
        ("tpu-v5-lite-podslice", "2x4", 8, "ct5lp-hightpu-8t", 1),
        ("tpu-v6e-slice", "1x1", 1, "ct6e-standard-1t", 1),
        ("tpu-v6e-slice", "16x16", 4, "ct6e-standard-4t", 64),
        ("tpu7x", "2x2x1", 4, "tpu7x-standard-4t", 1),
    ],
)
def test_the_shape_follows_from_topology_and_chips(
    label: str, topology: str, chips: int, machine: str, nodes: int
) -> None:
    shape = shape_of(tpu_pod(label, topology, chips), "google.com/tpu", 1)
    assert (shape.machine, shape.nodes, shape.topology) == (machine, nodes, topology if nodes > 1 else "")


@pytest.mark.parametrize(
    ("label", "topology", "chips"),
    [
        ("tpu-v5p-slice", "2x2", 4),
        ("tpu-v5p-slice", "axbxc", 4),
        ("tpu-v5p-slice", "0x2x2", 4),
        ("tpu-v5p-slice", "", 4),
        ("tpu-v5-lite-podslice", "4x4", 8),
        ("tpu-v5-lite-podslice", "32x32", 4),
        ("tpu-v6e-slice", "16x16", 16),
        ("other", "2x2", 4),
    ],
)
def test_what_is_no_slice_is_refused(label: str, topology: str, chips: int) -> None:
    with pytest.raises(Refused):
        shape_of(tpu_pod(label, topology, chips), "google.com/tpu", 1)


def tpu_pod(label: str, topology: str, chips: int) -> Pod:
    return Pod(
        Meta("pod"),
        PodSpec(
            node_selector={ACCELERATOR: label, TOPOLOGY: topology},
            containers=(Container(Resources({"google.com/tpu": str(chips)})),),
        ),
    )


@pytest.mark.parametrize(
    ("message", "status", "reason"),
    [
        ("ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS", 0, "StockOut"),
        ("[GCE_STOCKOUT] Instances cannot be created", 0, "StockOut"),
        ("Insufficient quota to satisfy the request", 400, "QuotaExceeded"),
        ("Reservation ours has no capacity left", 0, "ReservationUnavailable"),
        ("does not have container.clusters.update permission", 403, "Forbidden"),
        ("Cluster is running incompatible operation operation-1", 400, "Busy"),
        ("Invalid machine type", 400, "Invalid"),
        ("internal error", 0, "Failed"),
        ("", 503, "Unavailable"),
    ],
)
def test_failures_are_told_apart(message: str, status: int, reason: str) -> None:
    assert failure_of(message, status=status).reason == reason


@pytest.mark.parametrize("job", ["a", "9-lives", "x" * 63, "with.dots", "ends-with-a-dash-here-as-cut-----y"])
def test_a_name_fits_and_leads_back_to_the_job(job: str) -> None:
    identity = Identity("jobset", "default", "owner", "uid", job)
    assert len(identity.pool) <= 40
    assert identity.pool[0].isalpha()
    assert set(identity.pool) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert claim(identity.pool, identity.labels, {"clusterprint-slice": identity.text}) == identity
    assert claim(f"{identity.pool[:-1]}!", identity.labels, {"clusterprint-slice": identity.text}) is None
