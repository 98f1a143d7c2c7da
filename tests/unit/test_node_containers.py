"""The containers of nodes of `kind: vm`: what resolve decides about them, and where their images lie."""

from pathlib import Path

import pytest

from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import node_groups, node_settings
from clusterprint.derived.node_containers import Repository, is_of_google, repository_of
from clusterprint.load import load_text
from clusterprint.plan.vm import VmPlan
from clusterprint.plan.vm_nodes import NodeSettings
from clusterprint.resolve import resolve
from clusterprint.validate import validate

HEAD = """\
clusterprint: v1
kind: vm
name: c
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state}}
"""
COS = "image: {project: cos-cloud, family: cos-121-lts}"


def blueprint_of(text: str) -> VmBlueprint:
    document = load_text(f"{HEAD}{text}".encode(), "a.yaml", Path()).document
    assert document is not None
    blueprint = validate(document).blueprint
    assert isinstance(blueprint, VmBlueprint)
    return blueprint


def settings_of(text: str) -> list[NodeSettings]:
    """The settings of the nodes of each group."""
    blueprint = blueprint_of(text)
    return [node_settings.settings(blueprint, each, "") for each in node_groups.groups(blueprint)]


def plan_of(text: str) -> VmPlan:
    (plan,) = resolve(blueprint_of(text), Path())
    assert isinstance(plan, VmPlan)
    return plan


@pytest.mark.parametrize(
    ("image", "repository"),
    [
        ("us-docker.pkg.dev/p-project/images/app:v1", Repository("us", "p-project", "images")),
        ("us-east4-docker.pkg.dev/p/r/a/b@sha256:0", Repository("us-east4", "p", "r")),
        ("us-docker.pkg.dev/example.com/p-project/r/app", Repository("us", "example.com:p-project", "r")),
        ("us-docker.pkg.dev/example.com/p-project/app", None),
        ("us-docker.pkg.dev/p/app", None),
        ("gcr.io/p/app", None),
        ("nvcr.io/nvidia/pytorch:26.08-py3", None),
        ("docker.pkg.dev.example.com/p/r/app", None),
    ],
)
def test_the_repository_of_an_image(image: str, repository: Repository | None) -> None:
    assert repository_of(image) == repository


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("us-docker.pkg.dev/p/r/app", True),
        ("gcr.io/p/app", True),
        ("eu.gcr.io/p/app", True),
        ("xgcr.io/p/app", False),
        ("docker.io/gcr.io/app", False),
        ("redis", False),
    ],
)
def test_registries_of_google(image: str, expected: object) -> None:
    assert is_of_google(image) == expected


def test_nodes_may_read_the_repositories_of_their_project_and_no_others() -> None:
    plan = plan_of(
        "node_groups:\n"
        "  - {name: a, machine_type: n2-standard-4, container: {image: us-docker.pkg.dev/my-project/b/x:1}}\n"
        "  - {name: b, machine_type: n2-standard-4, container: {image: us-docker.pkg.dev/my-project/a/x:1}}\n"
        "  - {name: c, machine_type: n2-standard-4, container: {image: us-docker.pkg.dev/my-project/a/y:1}}\n"
        "  - {name: d, machine_type: n2-standard-4, container: {image: us-docker.pkg.dev/other-one/a/y:1}}\n"
    )
    assert [(each.location, each.name) for each in plan.image_repositories] == [("us", "a"), ("us", "b")]
    assert {each.role for each in plan.image_repositories} == {"roles/artifactregistry.reader"}
    assert "artifactregistry.googleapis.com" in plan.services


def test_without_a_repository_of_its_own_a_cluster_needs_no_artifact_registry() -> None:
    plan = plan_of("nodes: {machine_type: n2-standard-4}\ncontainer: {image: redis:7}\n")
    assert plan.image_repositories == ()
    assert "artifactregistry.googleapis.com" not in plan.services


def test_nodes_may_read_the_repository_of_an_image_of_ray_with_which_no_container_is_needed() -> None:
    plan = plan_of(
        "nodes: {machine_type: n2-standard-4}\n"
        "bootstrap: {ray: {image: us-docker.pkg.dev/my-project/images/ray:1}}\n"
    )
    assert [(each.location, each.name) for each in plan.image_repositories] == [("us", "images")]
    assert "artifactregistry.googleapis.com" in plan.services


def test_a_container_that_every_group_replaces_gets_no_rights() -> None:
    plan = plan_of(
        "node_groups: [{name: a, machine_type: n2-standard-4, container: {image: redis:7}}]\n"
        "container: {image: us-docker.pkg.dev/my-project/a/x:1}\n"
    )
    assert plan.image_repositories == ()


def test_a_container_sees_gpus_where_there_are_some() -> None:
    gpus, none = settings_of(
        "node_groups:\n"
        "  - {name: a, machine_type: g2-standard-4}\n"
        "  - {name: b, machine_type: n2-standard-4}\n"
        "container: {image: redis:7}\n"
    )
    assert gpus.container is not None
    assert none.container is not None
    assert (gpus.container.gpus, none.container.gpus) == (True, False)
    assert gpus.container.restart == "always"


@pytest.mark.parametrize(
    ("nodes", "gpudirect"),
    [
        (f"machine_type: a3-megagpu-8g, {COS}, driver: 580", "tcpxo"),
        (f"machine_type: a3-highgpu-8g, {COS}, driver: 580", "tcpx"),
        (f"machine_type: a3-megagpu-8g, {COS}", ""),
        (f"machine_type: a3-ultragpu-8g, {COS}, driver: 580", ""),
        (f"machine_type: g2-standard-4, {COS}, driver: 580", ""),
        ("machine_type: a3-megagpu-8g", ""),
    ],
)
def test_gpudirect_is_set_up_on_container_optimized_os_with_a_driver(nodes: str, gpudirect: str) -> None:
    (settings,) = settings_of(f"nodes: {{{nodes}, capacity: {{model: spot}}}}\n")
    assert settings.gpudirect == gpudirect
    assert (settings.receive is not None) == (gpudirect != "")


@pytest.mark.parametrize(("machine_type", "kind"), [("a3-megagpu-8g", "tcpxo"), ("a3-highgpu-8g", "tcpx")])
def test_versions_are_those_that_pods_have(machine_type: str, kind: str) -> None:
    (settings,) = settings_of(
        f"nodes: {{machine_type: {machine_type}, {COS}, driver: 580, capacity: {{model: spot}}}}\n"
    )
    assert settings.receive is not None
    assert settings.receive.plugin == catalog.component(f"nccl-{kind}").image
    assert settings.receive.daemon == catalog.component(f"nccl-{kind}-daemon").image
    assert "LD_LIBRARY_PATH" not in settings.receive.environment
    assert settings.receive.arguments


@pytest.mark.parametrize(
    ("nodes", "scratch"),
    [
        ("image: {project: cos-cloud, family: cos-121-lts}", "/mnt/disks/scratch"),
        ("image: {project: cos-cloud, family: cos-121-lts}, scratch: {mount: /mnt/disks/x/}", "/mnt/disks/x"),
        ("scratch: {mount: /fast}", "/fast"),
        ("count: 1", "/mnt/scratch"),
        ("scratch: {enabled: false}", ""),
    ],
)
def test_the_scratch_disk_is_where_the_system_lets_it_be(nodes: str, scratch: str) -> None:
    (settings,) = settings_of(f"nodes: {{machine_type: n2-standard-4, local_ssd: {{count: 1}}, {nodes}}}\n")
    assert settings.scratch == scratch
