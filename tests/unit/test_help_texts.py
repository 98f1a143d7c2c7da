"""Proposals of `help` for mistakes whose right form is elsewhere."""

from pathlib import Path

import pytest

from clusterprint.load import load_text
from clusterprint.validate import validate

HEAD = """\
clusterprint: v1
kind: {}
name: c
project: my-project
region: us-central1
zone: us-central1-a
backend: {{gcs: {{bucket: my-state}}}}
"""


def helps(kind: str, text: str) -> list[str]:
    """The help of all problems."""
    document = load_text((HEAD.format(kind) + text).encode(), "a.yaml", Path()).document
    assert document is not None
    return [each.help for each in validate(document).diagnostics]


@pytest.mark.parametrize(
    "text",
    [
        "storage: {filestore: true}\n",
        "node_pools: [{name: a, machine_type: n2-standard-4, additional_networks: []}]\n",
        "workloads: {kueue: {slices: 2}}\n",
    ],
)
def test_a_key_of_another_part_is_not_sent_there(text: str) -> None:
    found = helps("gke", text)
    assert [each for each in found if each.startswith("known keys: ")]
    assert not [each for each in found if "belongs" in each]


def test_a_key_of_the_same_part_is() -> None:
    assert "it belongs in nodes.boot_disk" in helps(
        "vm", "nodes: {machine_type: a2-highgpu-1g, size_gb: 100}\n"
    )


@pytest.mark.parametrize(
    "written",
    [
        "https://www.googleapis.com/compute/v1/projects/other/zones/us-central1-a/reservations/mine",
        "//compute.googleapis.com/projects/other/zones/us-central1-a/reservations/mine",
        "projects/other/zones/us-central1-a/reservations/mine",
    ],
)
def test_the_link_of_a_reservation_is_shortened(written: str) -> None:
    nodes = f"{{machine_type: a2-highgpu-1g, capacity: {{model: reservation, reservation: {written}}}}}"
    assert helps("vm", f"nodes: {nodes}\n") == ["write projects/other/reservations/mine"]
