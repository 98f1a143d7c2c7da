"""The storage examples of Google's Cluster Toolkit, each as one blueprint without manifests beside it.

Each stands for the example that its file is named after, and is built from nothing but itself.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, Run

EXAMPLES = sorted((ROOT / "tests/data/toolkit_storage").glob("*.yaml"))

#: What each example is about: the resources that have to be there, by type, and how many of each.
STORED = {
    "07-gke-a4x-max-bm": {
        "google_storage_bucket": 2,
        "google_container_node_pool": 2,
        "kubernetes_persistent_volume_claim_v1": 2,
    },
    "17-gke-managed-hyperdisk": {"kubernetes_storage_class_v1": 6, "google_container_node_pool": 2},
    "18-gke-managed-lustre": {"google_lustre_instance": 1, "google_service_networking_connection": 1},
    "25-storage-gke": {
        "google_filestore_instance": 1,
        "google_storage_bucket": 2,
        "google_storage_anywhere_cache": 1,
        "kubernetes_storage_class_v1": 2,
    },
    "26-xpk-n2-filestore": {"google_filestore_instance": 1, "kubernetes_persistent_volume_claim_v1": 1},
    "28-a3ultra-vm": {"google_filestore_instance": 1},
    "29-a4high-vm": {"google_filestore_instance": 1},
    "30-a4x-vm": {"google_filestore_instance": 1},
    "31-pfs-managed-lustre-vm": {"google_lustre_instance": 1, "google_service_networking_connection": 1},
    "32-netapp-volumes": {"google_netapp_storage_pool": 1, "google_netapp_volume": 1},
    "33-client-google-cloud-storage": {"google_storage_bucket": 1, "google_storage_bucket_iam_member": 2},
    "34-tutorial-fluent": {"google_filestore_instance": 2, "google_compute_instance_template": 2},
}


def resources(out: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for file in out.glob("stacks/*/cdk.tf.json"):
        yield from json.loads(file.read_text("utf-8"))["resource"].items()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.stem)
def test_it_takes_less_than_40_lines(example: Path) -> None:
    lines = example.read_text("utf-8").splitlines()
    assert sum(bool(line.strip()) and not line.startswith("#") for line in lines) < 40


@pytest.mark.slow
def test_all_are_built_from_one_file_each(clusterprint: Run, tmp_path: Path) -> None:
    checked = clusterprint("validate", "--strict", *EXAMPLES)
    assert checked.returncode == 0, checked.stdout
    for example in EXAMPLES:
        out = tmp_path / example.stem
        done = clusterprint("synth", example, "--out", out)
        assert done.returncode == 0, done.stderr
        counted: dict[str, int] = {}
        for kind, found in resources(out):
            counted[kind] = counted.get(kind, 0) + len(found)
        wanted = STORED[example.stem]
        assert {kind: counted.get(kind, 0) for kind in wanted} == wanted
