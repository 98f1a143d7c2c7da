"""Where a blueprint asks for a resource: names that are part of other names lead nobody to a wrong line."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import GOLDENS

from clusterprint.load import load, load_text
from clusterprint.review.delta import Resource
from clusterprint.review.places import place
from clusterprint.review.stack_file import read_stack


@pytest.mark.parametrize(
    ("address", "line"),
    [
        ("mldiagnostics-injection-webhook", "    webhook:"),
        ("mldiagnostics-connection-operator", "    operator:"),
        # Not that of ML Diagnostics, although it is one.
        ("tpu-provisioner_webhook_certificate", "workloads:"),
    ],
)
def test_a_chart_is_asked_for_where_it_is_written(address: str, line: str) -> None:
    file = GOLDENS / "gke-diagnostics.yaml"
    document = load(file, file.name).document
    assert document
    release = f"helm_release.{address}"
    found = place(Resource("seen-workloads", "helm_release", release, release, {}), document)
    assert found.line
    assert file.read_text("utf-8").splitlines()[found.line - 1].startswith(line)


NAMED = """\
clusterprint: v1
kind: ray
name: train
network: {cidr: 10.128.0.0/14}
storage:
  volumes:
    - {name: home, kind: filestore}
    - {name: home-old, kind: filestore}
ray:
  services:
    - {name: s}
    - {name: serv}
"""


@pytest.mark.parametrize(
    ("type_", "local", "key"),
    [
        ("google_filestore_instance", "volumes_filestore-home", "storage.volumes.home"),
        ("google_filestore_instance", "volumes_filestore-home-old", "storage.volumes.home-old"),
        ("google_filestore_snapshot", "volumes_filestore-home_snapshot-a", "storage.volumes.home"),
        # Not the service whose name this begins with.
        ("google_compute_global_address", "volumes_services_range", "storage.volumes"),
        ("google_service_networking_connection", "volumes_services_peering", "storage.volumes"),
        ("helm_release", "ray-service-s", "ray.services.s"),
        ("google_compute_router", "network_router", "network"),
    ],
)
def test_a_name_is_found_in_an_address_as_a_whole(type_: str, local: str, key: str) -> None:
    document = load_text(NAMED.encode(), "train.yaml", Path()).document
    assert document
    address = f"{type_}.{local}"
    assert place(Resource("train", type_, address, address, {}), document).key == key


def lines(text: str, stacks: str, cluster: str, folder: Path) -> dict[str, int | None]:
    """The line that is behind each resource of a cluster, by its address without the cluster's name."""
    document = load_text(text.encode(), "cluster.yaml", Path()).document
    assert document
    found: dict[str, int | None] = {}
    golden = json.loads(stacks)
    # Goldens with one stack leave its name out.
    for name, stack in ({cluster: golden} if "resource" in golden else golden).items():
        file = folder / "cdk.tf.json"
        file.write_text(json.dumps(stack), "utf-8")
        for number, resource in enumerate(read_stack(file, name).resources.values()):
            found[f"{number} of {name.removeprefix(cluster)}"] = place(resource, document).line
    return found


def names(value: Any) -> Iterator[str]:
    """The names of all that is in a list of a blueprint: pools, groups, jobs, queues, volumes."""
    if isinstance(value, dict):
        for each in value.values():
            yield from names(each)
    elif isinstance(value, list):
        yield from (each["name"] for each in value if isinstance(each, dict) and "name" in each)
        for each in value:
            yield from names(each)


@pytest.mark.parametrize(
    "golden",
    ["gke-checkpoints", "gke-monitoring", "volumes", "vmss-lustre-blob"],
)
def test_a_cluster_named_like_something_in_it_changes_no_place(golden: str, tmp_path: Path) -> None:
    """All names of one golden are tried, as the cluster's name, its beginning and its end."""
    text, stacks = ((GOLDENS / f"{golden}{end}").read_text("utf-8") for end in (".yaml", ".tf.json"))
    document = load_text(text.encode(), "cluster.yaml", Path()).document
    assert document
    cluster = str(document.data["name"])
    expected = lines(text, stacks, cluster, tmp_path)
    assert len(set(expected.values())) > 3
    for name in sorted({*names(document.data)}):
        for other in (name, f"{name}-q9", f"q9-{name}"):
            word = rf"(?<![A-Za-z0-9]){cluster}(?![A-Za-z0-9])"
            found = lines(re.sub(word, other, text), re.sub(word, other, stacks), other, tmp_path)
            assert {key: (line, found[key]) for key, line in expected.items() if line != found[key]} == {}, (
                other
            )
