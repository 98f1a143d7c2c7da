"""Effects of changed blueprints inside a running cluster: real Terraform, simulated cloud."""

from collections.abc import Callable
from pathlib import Path

import pytest
from running import Running

pytestmark = pytest.mark.terraform

BLUEPRINT = """\
clusterprint: v1
kind: gke
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
node_pools:
  - {name: workers, machine_type: n2-standard-8, count: 3}
storage:
  disk_classes: [{name: disks, type: pd-standard, reclaim_policy: delete, zones: [us-central1-a]}]
workloads:
  mpi:
    jobs:
      - name: hpl
        image: my/hpl:v1
        workers: 3
        command: [xhpl]
        files: [{source: ./HPL.dat, destination: /data/HPL.dat}]
  kueue: {}
"""
DATA = "Ns 40960\n"

Changes = tuple[dict[str, str], dict[str, str]]
Change = Callable[..., Changes]


STACKS = ("life-cluster", "life-workloads")


@pytest.fixture
def change(running: Running, tmp_path: Path) -> Change:
    """Deploy both stacks of a blueprint; what a plan of another version would do to each of them."""

    def run(after: str, data: str = DATA) -> Changes:
        (tmp_path / "HPL.dat").write_text(DATA)
        running.deploy(tmp_path, BLUEPRINT, STACKS)
        (tmp_path / "HPL.dat").write_text(data)
        cluster, inside = running.change(tmp_path, after, STACKS)
        jobs = [each for each in running.world.resources() if each.type.startswith("MPIJob")]
        assert len(jobs) == after.count("- name: "), "the last run has gone"
        return cluster, inside

    return run


ANOTHER_RUN = {
    "helm_release.mpi-hpl": "update",
    "kubernetes_config_map_v1.mpi-hpl_files": "replace",
}


def test_another_file_is_another_run_and_the_cluster_is_left_alone(change: Change) -> None:
    assert change(BLUEPRINT, "Ns 20480\n") == ({}, ANOTHER_RUN)


def test_another_argument_is_another_run(change: Change) -> None:
    assert change(BLUEPRINT.replace("[xhpl]", "[xhpl, -v]")) == ({}, ANOTHER_RUN)


def test_the_same_job_runs_again_when_it_is_told_to(change: Change) -> None:
    assert change(BLUEPRINT.replace("workers: 3\n", "workers: 3\n        run: again\n")) == ({}, ANOTHER_RUN)


def test_another_job_leaves_the_first_one_alone(change: Change) -> None:
    more = BLUEPRINT.replace(
        "  kueue",
        "      - name: ring\n        image: my/ring:v1\n        workers: 2\n        command: [ring]\n  kueue",
    )
    assert change(more) == ({}, {"helm_release.mpi-ring": "create"})


def test_more_nodes_are_more_quota(change: Change) -> None:
    cluster, inside = change(BLUEPRINT.replace("count: 3", "count: 4"))
    assert cluster == {"google_container_node_pool.pool-workers": "update"}
    assert inside == {"helm_release.kueue_queues": "update"}


@pytest.mark.parametrize(
    ("before", "after"),
    [("reclaim_policy: delete", "reclaim_policy: retain"), ("[us-central1-a]", "[us-central1-b]")],
)
def test_what_no_class_can_change_makes_another_one(change: Change, before: str, after: str) -> None:
    """The provider would report an update, and leave the class as it was."""
    cluster, inside = change(BLUEPRINT.replace(before, after))
    assert cluster == {}
    assert inside == {
        "kubernetes_storage_class_v1.volume_class-named_disks": "replace",
        "terraform_data.volume_fixed-named_disks": "update",
    }
