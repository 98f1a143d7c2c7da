"""Steps of a machine of kind vm: those of requested features, and no others."""

import re

import pytest
from unit.test_cooperation import blueprint_of

from clusterprint.derived import node_groups, node_settings
from clusterprint.nodes.vm.bundle import startup_script

PLAIN = "nodes: {machine_type: n2-standard-4, unlimited_memlock: false%s}\n"
# Updates are held by a step of every machine, unless they are left to its image.
UPDATED = "updates: {mode: image}\n"
ALONE = f"cluster: {{hosts: false}}\n{UPDATED}"
COS = ", image: {project: cos-cloud, family: cos-121-lts}"
STEP = re.compile(r"^#file \d+ /usr/local/lib/clusterprint/steps/\d+-(\S+)$", re.MULTILINE)


def steps(text: str) -> list[str]:
    """The steps on the machines of a blueprint."""
    blueprint = blueprint_of(text)
    (group,) = node_groups.groups(blueprint)
    script = "#!/bin/sh\n" if "startup_script" in text else ""
    return STEP.findall(startup_script(node_settings.settings(blueprint, group, script)))


@pytest.mark.parametrize(
    ("nodes", "more", "wanted"),
    [
        ("", "", []),
        (", docker: true", "", ["docker"]),
        ("", "container: {image: my/trainer:v1}\n", ["docker", "container"]),
        (", local_ssd: {count: 1}", "", ["scratch"]),
        ("", "storage: {volumes: [{name: data, kind: bucket, mount: /data}]}\n", ["buckets"]),
        ("", "storage: {volumes: [{name: a, kind: lustre, mount: /a, size_gb: 18000}]}\n", ["volumes"]),
        ("", "files: [{source: test_vm_layers.py, destination: /opt/mine/test.py}]\n", ["files"]),
        ("", "time_to_live: 2d\n", ["end"]),
        ("", "monitoring: {ops_agent: true}\n", ["ops-agent"]),
        ("", "notebook: {port: 8888}\n", ["notebook"]),
        ("", "startup_script: {inline: '#!/bin/sh'}\n", ["startup-script"]),
        (COS, "", []),
        (f"{COS}, docker: true", "", ["docker"]),
        (COS, "container: {image: my/trainer:v1}\n", ["docker", "container"]),
        (f"{COS}, local_ssd: {{count: 1}}", "", ["scratch"]),
    ],
)
def test_what_is_asked_for_is_there(nodes: str, more: str, wanted: list[str]) -> None:
    assert steps(f"{PLAIN % nodes}{ALONE}{more}") == wanted


@pytest.mark.parametrize(
    ("cluster", "wanted"),
    [
        ("{hosts: false, ssh: false}", []),
        ("{hosts: true, ssh: false}", ["hosts"]),
        # Nodes log in to each other by names.
        ("{hosts: false, ssh: true}", ["hosts", "ssh"]),
    ],
)
def test_what_nodes_know_of_each_other(cluster: str, wanted: list[str]) -> None:
    assert steps(f"{PLAIN % ''}cluster: {cluster}\n{UPDATED}") == wanted


def test_updates_are_held_by_a_step_unless_they_are_left_to_the_image() -> None:
    assert steps(f"{PLAIN % ''}cluster: {{hosts: false}}\n") == ["updates"]


@pytest.mark.parametrize(
    ("machine", "wanted"),
    [
        ("a4-highgpu-8g, capacity: {model: spot}", ["limits", "scratch", "gib", "health"]),
        (f"a3-highgpu-8g, capacity: {{model: spot}}, gpudirect: true, driver: 580{COS}",
         ["limits", "scratch", "driver", "docker", "receive"]),
        ("g2-standard-4, dcgm: true", ["limits", "dcgm", "health"]),
    ],
)  # fmt: skip
def test_what_gpus_need(machine: str, wanted: list[str]) -> None:
    assert steps(f"nodes: {{machine_type: {machine}}}\n{ALONE}") == wanted
