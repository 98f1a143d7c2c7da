"""Defaults of cooperation of nodes of kind vm."""

from pathlib import Path

import pytest
from unit.test_resolve_vm import HEAD, plan_of

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import cooperation, node_groups
from clusterprint.load import load_text
from clusterprint.validate import validate

ACCOUNT = "service_account: {email: trainer@my-project.iam.gserviceaccount.com}\n"
LOGIN = "node_groups: [{name: login, machine_type: n2-standard-4}]\n"
TWO = "nodes: {machine_type: n2-standard-4, count: 2}\n"


def blueprint_of(text: str) -> VmBlueprint:
    """A blueprint that lies in this folder."""
    document = load_text(f"{HEAD}{text}".encode(), "a.yaml", Path(__file__).parent).document
    assert document is not None
    blueprint = validate(document).blueprint
    assert isinstance(blueprint, VmBlueprint)
    return blueprint


NODE = "nodes: {{machine_type: n2-standard-4, image: {{project: {}, family: f}}}}\n"


def nodes_of(text: str) -> VmNodes:
    (nodes,) = node_groups.groups(blueprint_of(text))
    return nodes


@pytest.mark.parametrize(
    ("text", "hosts", "role"),
    [
        ("nodes: {machine_type: n2-standard-4}\n", True, True),
        (TWO, True, True),
        (TWO.replace("2}", "0}"), True, True),
        (LOGIN, True, True),
        (f"{TWO}cluster: {{hosts: false}}\n", False, False),
        (f"{TWO}network: {{nat: false}}\ncluster: {{hosts: true}}\n", True, True),
        ("nodes: {machine_type: n2-standard-4}\ncluster: {ssh: true}\n", True, True),
        (f"{TWO}network: {{nat: false}}\n", False, False),
        (f"{TWO}network: {{existing: {{name: n, subnetwork: s}}}}\n", True, True),
        (f"{TWO}{ACCOUNT}", False, False),
        (NODE.format("debian-cloud"), True, True),
        (NODE.format("rocky-linux-cloud"), True, True),
        (NODE.format("suse-cloud"), False, False),
        (NODE.format("my-own-project"), False, False),
        (f"{NODE.format('my-own-project')}cluster: {{hosts: true}}\n", True, True),
        (f"{TWO}{ACCOUNT}cluster: {{hosts: true}}\n", True, False),
    ],
)
def test_nodes_keep_lists_of_each_other(text: str, *, hosts: bool, role: bool) -> None:
    assert cooperation.hosts(blueprint_of(text)) is hosts
    assert (plan_of(f"{HEAD}{text}", Path()).role is not None) is role


GPU = "nodes: {machine_type: a4-highgpu-8g, capacity: {model: spot}%s}\n"


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ("", (2, 8)),
        (", image: {project: my-images, family: f}", None),
        (", image: {project: my-images, family: f}, health: {enabled: true}", (2, 8)),
        (", image: {project: ubuntu-os-cloud, family: f}, driver: 580", (2, 8)),
        (", health: {enabled: false}", None),
        (", image: {project: my-images, family: f}, health: {repair: true}", (2, 8)),
    ],
)
def test_machines_with_a_driver_are_examined(more: str, wanted: tuple[int, int] | None) -> None:
    found = cooperation.health(nodes_of(GPU % more))
    assert (found and (found.interfaces, found.rdma_interfaces)) == wanted


@pytest.mark.parametrize("machine", ["n2-standard-4", "n9-unheard-of-4"])
def test_machines_without_gpus_are_examined_when_asked(machine: str) -> None:
    text = f"nodes: {{machine_type: {machine}%s}}\n"
    assert cooperation.health(nodes_of(text % "")) is None
    found = cooperation.health(nodes_of(text % ", health: {enabled: true}"))
    assert found is not None
    assert (found.interfaces, found.rdma_interfaces) == (1, 0)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (GPU % "", "roce"),
        (GPU % ", gpudirect: false", ""),
        (GPU % ", image: {project: my-images, family: f}", ""),
        (GPU % ", image: {project: my-images, family: f}, gpudirect: true", "roce"),
        (GPU % ", image: {project: ubuntu-os-accelerator-images, family: f}", "roce"),
        ("nodes: {machine_type: a3-megagpu-8g, capacity: {model: spot}}\n", ""),
        ("nodes: {machine_type: n2-standard-4}\n", ""),
    ],
)
def test_nccl_is_set_up_where_its_package_is_for(text: str, wanted: str) -> None:
    assert cooperation.gpudirect(nodes_of(text)) == wanted
