"""The image of the slice provisioner, where a blueprint names none."""

import json
import re
import tarfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support import ROOT

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.derived.provisioner import NODE_LABEL
from clusterprint.examine import examine
from clusterprint.image import job, lock, provisioner
from clusterprint.plan.builds import ImagePlan
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.plan.kubernetes import ProgramPlan
from clusterprint.resolve import resolve
from clusterprint.resolve.images import resolve_images
from clusterprint_provisioner.identity import Identity

TEXT = (ROOT / "tests/goldens/slice-provisioner.yaml").read_text("utf-8")
NAMED = TEXT.replace("tpu_provisioner:\n", "tpu_provisioner:\n    image: example.com/provisioner:v1\n")


def test_kueue_makes_pods_select_what_all_provisioned_nodes_have() -> None:
    nodes = Identity("jobset", "default", "train", "uid", "train-slice-0").labels
    assert NODE_LABEL.items() <= nodes.items()


def load(folder: Path, text: str = TEXT) -> GkeBlueprint:
    file = folder / "slicer.yaml"
    file.write_text(text, "utf-8")
    [result] = examine([file]).results
    assert isinstance(result.blueprint, GkeBlueprint)
    return result.blueprint


def build(folder: Path, text: str = TEXT) -> ImagePlan:
    [found] = resolve_images(load(folder, text), folder)
    return found


def plans(folder: Path, text: str = TEXT) -> tuple[GkeClusterPlan, tuple[ProgramPlan, ProgramPlan]]:
    """The cluster, and the controller and the webhook in it."""
    cluster, workloads = resolve(load(folder, text), folder)
    assert isinstance(cluster, GkeClusterPlan)
    assert isinstance(workloads, GkeWorkloadsPlan)
    assert workloads.provisioner is not None
    assert workloads.provisioner.webhook is not None
    return cluster, (workloads.provisioner.program, workloads.provisioner.webhook.program)


def test_it_is_made_from_all_that_its_dockerfile_takes() -> None:
    files = provisioner.sources()
    taken = re.findall(r"^COPY (\w\S*) ", files["Dockerfile"], re.MULTILINE)
    package = ROOT / "provisioner" / "clusterprint_provisioner"
    assert {name.partition("/")[0] for name in files} == {"Dockerfile", *taken}
    assert {name.partition("/")[2] for name in files if "/" in name} == {
        each.name for each in package.iterdir() if each.is_file()
    }


def test_a_tag_follows_from_the_sources_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = build(tmp_path)
    assert before == build(tmp_path)
    assert build(tmp_path, TEXT.replace("max_pools_per_namespace: 8", "concurrency: 9")).tag == before.tag
    provisioner.checksum.cache_clear()
    changed = {**provisioner.sources(), "manager": "#!/bin/sh\n"}
    monkeypatch.setattr(provisioner, "sources", lambda: changed)
    after = build(tmp_path)
    provisioner.checksum.cache_clear()
    assert after.tag != before.tag
    assert after.files == changed


def test_googles_own_machines_build_it_as_an_account_that_may_do_that_and_no_more(tmp_path: Path) -> None:
    plan = build(tmp_path)
    said: dict[str, Any] = job.configuration(plan)
    assert "pool" not in said["options"]
    assert said["serviceAccount"].endswith("/slicer-builder@my-tpu-project.iam.gserviceaccount.com")
    assert said["images"] == [f"us-east5-docker.pkg.dev/my-tpu-project/slicer-docker/provisioner:{plan.tag}"]
    job.lay(plan, tmp_path, tmp_path)
    with tarfile.open(tmp_path / job.SOURCE) as archive:
        assert set(archive.getnames()) == set(provisioner.sources())
    cluster, _ = plans(tmp_path)
    assert cluster.builds.pool is None
    assert [each.mirror for each in cluster.builds.registries] == [None]


def test_before_the_first_build_nothing_waits_for_it_and_afterwards_it_is_named_by_digest(
    tmp_path: Path,
) -> None:
    plan = build(tmp_path)
    _, programs = plans(tmp_path)
    assert {(each.image, each.wait) for each in programs} == {(plan.name, False)}
    made = lock.Lock(image=plan.image, digest="sha256:" + "1" * 64, inputs=plan.inputs)
    lock.write(made, tmp_path / plan.lock)
    _, programs = plans(tmp_path)
    assert {(each.image, each.wait) for each in programs} == {(made.reference, True)}


def test_a_lock_has_no_say_in_which_registry_is_asked(tmp_path: Path) -> None:
    plan = build(tmp_path)
    made = lock.Lock(image="evil.example/provisioner", digest="sha256:" + "1" * 64, inputs=plan.inputs)
    lock.write(made, tmp_path / plan.lock)
    _, (program, _) = plans(tmp_path)
    assert program.image == f"{plan.image}@{made.digest}"


def test_where_an_image_is_named_nothing_is_built(tmp_path: Path) -> None:
    cluster, programs = plans(tmp_path, NAMED)
    assert {(each.image, each.wait) for each in programs} == {("example.com/provisioner:v1", True)}
    assert not any(msgspec.structs.astuple(cluster.builds))
    assert "cloudbuild.googleapis.com" not in cluster.services
    assert resolve_images(load(tmp_path, NAMED), tmp_path) == ()


def test_the_job_says_the_same_each_time(tmp_path: Path) -> None:
    assert json.loads(job.render(build(tmp_path))) == json.loads(job.render(build(tmp_path)))
