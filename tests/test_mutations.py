"""A file that goes or changes between validation and synthesis is reported as what it is."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clusterprint.errors import EnvironmentFailure
from clusterprint.examine import examine
from clusterprint.synth import plan_all, synthesize

BLUEPRINTS = {
    "files": """\
clusterprint: v1
kind: vm
name: first
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: n2-standard-2}
files: [{source: data}]
""",
    "script": """\
clusterprint: v1
kind: vm
name: first
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: n2-standard-2}
startup_script: {file: data}
""",
    "manifest": """\
clusterprint: v1
kind: gke
name: first
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: workers, machine_type: n2-standard-8, count: 3}]
workloads: {manifests: [{file: data}]}
""",
    "job": """\
clusterprint: v1
kind: gke
name: first
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: workers, machine_type: n2-standard-8, count: 3}]
workloads:
  mpi: {jobs: [{name: a, image: my/a:v1, workers: 3, command: [a], files: [{source: data, destination: /d}]}]}
""",
}
DATA = "#!/bin/sh\n"
OBJECT = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"


def vanish(file: Path) -> None:
    file.unlink()


def lead_out(file: Path) -> None:
    (file.parent.parent / "private").write_text("hunter2")
    file.unlink()
    file.symlink_to("../private")


@pytest.mark.parametrize(
    ("happens", "said"), [(vanish, "is gone"), (lead_out, "leads out of the blueprint's folder")]
)
@pytest.mark.parametrize("way", BLUEPRINTS)
def test_before_it_is_planned(way: str, happens: Callable[[Path], None], said: str, tmp_path: Path) -> None:
    folder = tmp_path / "blueprints"
    folder.mkdir()
    (folder / "first.yaml").write_text(BLUEPRINTS[way])
    (folder / "data").write_text(OBJECT if way == "manifest" else DATA)
    examined = examine([folder / "first.yaml"])
    assert examined.diagnostics == []
    happens(folder / "data")
    with pytest.raises(
        EnvironmentFailure, match=f"data was fine when the blueprint was checked, and now {said}"
    ):
        plan_all(examined.results)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "data was fine .* and now is gone"), ("other", "data changed while it was used")],
)
def test_before_it_is_copied(content: str | None, said: str, tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text(BLUEPRINTS["files"])
    (tmp_path / "data").write_text(DATA)
    planned = plan_all(examine([tmp_path / "first.yaml"]).results)
    (tmp_path / "data").unlink() if content is None else (tmp_path / "data").write_text(content)
    with pytest.raises(EnvironmentFailure, match=said):
        synthesize(planned, tmp_path / "out")
    assert not (tmp_path / "out").exists()
