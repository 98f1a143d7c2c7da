"""How many files an MPI job may have."""

from pathlib import Path

import pytest

from clusterprint.examine import examine

BLUEPRINT = """\
clusterprint: v1
kind: gke
name: many
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: workers, machine_type: n2-standard-8, count: 3}]
workloads:
  mpi:
    jobs:
      - name: hpl
        image: my/hpl:v1
        workers: 3
        command: [xhpl]
        files: [{source: many, destination: /home/nixuser/data}]
"""


@pytest.mark.slow
def test_thousands_of_small_files_are_more_than_one_object_holds(tmp_path: Path) -> None:
    (tmp_path / "many.yaml").write_text(BLUEPRINT)
    (tmp_path / "many").mkdir()
    for number in range(6000):
        (tmp_path / "many" / f"part-{number:04}.dat").write_text("1\n")
        if number == 3000:
            assert "GKE106" not in [each.code for each in examine([tmp_path / "many.yaml"]).diagnostics]
    [found] = [each for each in examine([tmp_path / "many.yaml"]).diagnostics if each.code == "GKE106"]
    assert found.message.startswith("the mounts of the 6,000 files of hpl take 1,2")
    assert found.message.endswith("etcd takes no object of more than 1.5 MiB")
    assert found.place.span is not None
    assert found.place.span.line == 16
