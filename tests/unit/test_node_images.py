"""Names of images for nodes: another name for another image, the same for all else."""

from pathlib import Path

import pytest

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_image import NodeImageBuild
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import image_builds, node_groups
from clusterprint.examine import examine
from clusterprint.plan.vm_image import NodeImagePlan
from clusterprint.resolve.images import resolve_node_images

BLUEPRINT = """\
clusterprint: v1
kind: vm
name: c
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
%s
nodes:
  machine_type: g2-standard-8
  %s
  image_build:
    script: {file: ./build.sh}
    files: [{source: ./site, destination: /opt/site}]
    %s
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "build.sh").write_text("#!/bin/sh\ntrue\n")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "one").write_text("1\n")
    return tmp_path


def blueprint_of(folder: Path, cluster: str, nodes: str, build: str) -> VmBlueprint:
    file = folder / "c.yaml"
    file.write_text(BLUEPRINT % (cluster, nodes, build))
    [result] = examine([file]).results
    assert isinstance(result.blueprint, VmBlueprint)
    return result.blueprint


def image(folder: Path, *, cluster: str = "", nodes: str = "", build: str = "") -> NodeImagePlan:
    [plan] = resolve_node_images(blueprint_of(folder, cluster, nodes, build), folder)
    return plan


def parts(
    folder: Path, *, cluster: str = "", nodes: str = "", build: str = ""
) -> tuple[VmBlueprint, VmNodes, NodeImageBuild]:
    blueprint = blueprint_of(folder, cluster, nodes, build)
    [group] = node_groups.groups(blueprint)
    assert isinstance(group.image_build, NodeImageBuild)
    return blueprint, group, group.image_build


@pytest.mark.parametrize(
    "change",
    [
        {"build": "machine_type: c3-standard-22"},
        {"build": "zone: us-central1-b"},
        {"build": "timeout: 2h"},
        {"build": "storage_location: us"},
        {"build": 'share_with: ["group:all@example.com"]'},
        {"nodes": "count: 5"},
        {"nodes": "unlimited_memlock: false"},
        {"cluster": "labels: {team: ml}"},
        {"cluster": "startup_script: {inline: '#!/bin/sh'}"},
    ],
    ids=lambda change: next(iter(change.values())).partition(":")[0],
)
def test_how_it_is_built_and_who_boots_from_it_is_no_part_of_its_name(
    folder: Path, change: dict[str, str]
) -> None:
    assert image(folder, **change).name == image(folder).name


@pytest.mark.parametrize(
    "change",
    [
        {"build": 'edition: "2"'},
        {"build": "disk_size_gb: 60"},
        {"nodes": "image: {project: debian-cloud, family: debian-12}"},
        {"nodes": "docker: true"},
        {"cluster": "bootstrap: {mpi: {}}"},
        {"cluster": "notebook: {port: 8888}"},
        {"cluster": "monitoring: {ops_agent: true}"},
        {"cluster": "storage: {volumes: [{name: data, kind: bucket, mount: /data}]}"},
    ],
    ids=lambda change: next(iter(change.values())).partition(":")[0],
)
def test_what_it_is_made_of_is(folder: Path, change: dict[str, str]) -> None:
    assert image(folder, **change).name != image(folder).name
    # Without the setup of the nodes, only what is said of the image itself.
    bare = {**change, "build": "\n    ".join(filter(None, (change.get("build", ""), "setup: false")))}
    alone = image(folder, **bare).name == image(folder, build="setup: false").name
    assert alone == ("build" not in change and "image:" not in change.get("nodes", ""))


@pytest.mark.parametrize(
    ("cluster", "packages"),
    [
        ("", ()),
        ("storage: {volumes: [{name: data, kind: bucket, mount: /data}]}", ("gcsfuse",)),
        (
            "storage: {volumes: [{name: a, kind: lustre, mount: /a, size_gb: 18000}]}",
            ("lustre-client",),
        ),
        ("storage: {volumes: [{name: b, kind: filestore, mount: /b, size_gb: 1024}]}", ()),
        ("monitoring: {ops_agent: true}", ("ops-agent",)),
    ],
)
def test_packages_come_from_where_what_is_mounted_and_watched_has_them(
    folder: Path, cluster: str, packages: tuple[str, ...]
) -> None:
    blueprint, group, build = parts(folder, cluster=cluster)
    assert image_builds.packages(blueprint, group, build) == packages
    blueprint, group, build = parts(folder, cluster=cluster, build="setup: false")
    assert image_builds.packages(blueprint, group, build) == ()


@pytest.mark.parametrize(
    ("build", "driver"),
    [
        ("machine_type: g2-standard-8", "580"),
        ("machine_type: n2-standard-8", ""),
        ("machine_type: n9-unheard-of-8", ""),
        ("{machine_type: g2-standard-8, setup: false}", ""),
    ],
)
def test_a_driver_is_installed_where_its_gpus_are(folder: Path, build: str, driver: str) -> None:
    lines = build.strip("{}").replace(", ", "\n    ")
    asked = "driver: 580\n  dcgm: true"
    found = image_builds.settings(*parts(folder, nodes=asked, build=lines), script="")
    assert (found.driver, found.dcgm) == (driver, bool(driver))


def test_so_are_the_script_and_the_files(folder: Path) -> None:
    names = {image(folder).name}
    (folder / "build.sh").write_text("#!/bin/sh\nfalse\n")
    names.add(image(folder).name)
    (folder / "site" / "one").write_text("2\n")
    names.add(image(folder).name)
    (folder / "site" / "one").chmod(0o755)
    names.add(image(folder).name)
    (folder / "site" / "one").rename(folder / "site" / "two")
    names.add(image(folder).name)
    assert len(names) == 5


def test_the_machine_that_builds_is_nobody_and_goes_out_as_the_nodes_do(folder: Path) -> None:
    alone = image(folder).environment
    assert alone["MACHINE_OPTIONS"].startswith("--no-service-account --no-scopes ")
    assert alone["INTERFACE"].endswith(",no-address")
    account = "a@my-gpu-project.iam.gserviceaccount.com"
    said = image(folder, nodes="public_ip: true", build=f"service_account: {account}").environment
    assert f"--service-account={account} --scopes=cloud-platform" in said["MACHINE_OPTIONS"]
    assert "no-address" not in said["INTERFACE"]


def test_it_is_built_for_the_processors_of_the_nodes(tmp_path: Path) -> None:
    (tmp_path / "build.sh").write_text("#!/bin/sh\ntrue\n")
    file = tmp_path / "c.yaml"
    text = BLUEPRINT % ("", "", "")
    text = text.replace("g2-standard-8", "c4a-standard-4").replace(
        "    files: [{source: ./site, destination: /opt/site}]\n", ""
    )
    file.write_text(text)
    [result] = examine([file]).results
    assert isinstance(result.blueprint, VmBlueprint)
    [plan] = resolve_node_images(result.blueprint, tmp_path)
    assert plan.environment["MACHINE_TYPE"] == "c4a-standard-8"
    assert plan.environment["DISK_TYPE"] == "hyperdisk-balanced"
    assert "arm64" in plan.environment["BASE"]
