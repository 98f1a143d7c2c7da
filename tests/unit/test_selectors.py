"""Every pool has nodes that only its own selector finds, whatever other pools there are."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from unit.conftest import HEAD

from clusterprint.load import load
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.pools import PoolPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.resolve import resolve
from clusterprint.resolve.gke.pods import slice_labels
from clusterprint.validate import validate_together

POOLS = {
    "reserved": "machine_type: ct6e-standard-4t, tpu: {topology: 2x4, slices: 2}, "
    "capacity: {model: reservation, reservation: r}",
    "spot": "machine_type: ct6e-standard-4t, tpu: {topology: 2x4, slices: 2}, capacity: {model: spot}",
    "single": "machine_type: ct6e-standard-4t, tpu: {topology: 2x4}, capacity: {model: spot}",
    "large": "machine_type: ct6e-standard-8t, tpu: {topology: 2x4}, capacity: {model: spot}",
    "hosts": "machine_type: ct6e-standard-8t, tpu: {topology: 2x4, slices: 3}, capacity: {model: spot}",
    "gpus": "machine_type: g2-standard-24, count: 2",
    "cheap": "machine_type: g2-standard-24, count: 2, capacity: {model: spot}",
    "cpus": "machine_type: c3-standard-44, count: 2",
}


def plans(first: str, second: str, folder: Path) -> tuple[GkeClusterPlan, GkeWorkloadsPlan]:
    """Two pools with a queued JobSet and a LeaderWorkerSet on each, and an MPI job where it can run."""
    pair = (first, second)
    groups = [
        f"{{name: {{kind}}-{name}, image: 'my/t:v1', command: [run], node_pool: {name}, queue: default}}"
        for name in pair
    ]
    mpi = [
        f"{{name: mpi-{name}, image: 'my/mpi:v1', workers: 2, command: [run], node_pool: {name}}}"
        for name in pair
        if "tpu" not in POOLS[name]
    ]
    body = f"""\
cluster: {{version: "1.34"}}
node_pools:
  - {{name: {first}, {POOLS[first]}}}
  - {{name: {second}, {POOLS[second]}}}
workloads:
  jobset: {{}}
  lws: {{}}
  trainer: {{}}
  kueue: {{}}
  jobsets: [{", ".join(groups).replace("{kind}", "set")}]
  train_jobs: [{", ".join(groups).replace("{kind}", "tj")}]
  leader_worker_sets: [{", ".join(groups).replace("{kind}", "lws")}]
  mpi: {{jobs: [{", ".join(mpi)}]}}
"""
    file = folder / "c.yaml"
    file.write_text(HEAD + body)
    document = load(file, file.name).document
    assert document is not None
    (result,) = validate_together([document])
    assert result.blueprint is not None, result.diagnostics
    made = resolve(result.blueprint, folder)
    cluster = next(plan for plan in made if isinstance(plan, GkeClusterPlan))
    return cluster, next(plan for plan in made if isinstance(plan, GkeWorkloadsPlan))


def labels_of(pool: PoolPlan) -> dict[str, str]:
    """The labels of a pool's nodes: those of the blueprint, and those that GKE adds."""
    tpu = pool.node.tpu
    return {
        **pool.node.labels,
        "cloud.google.com/gke-nodepool": pool.key,
        **(slice_labels(tpu) if tpu else {}),
    }


def found_by(selector: dict[str, str], cluster: GkeClusterPlan) -> set[str]:
    """The pools of the blueprint on whose nodes a pod with this selector may run."""
    return {pool.group for pool in cluster.pools if selector.items() <= labels_of(pool).items()}


@pytest.mark.parametrize("pair", [pytest.param(pair, id="-".join(pair)) for pair in combinations(POOLS, 2)])
def test_selectors_and_flavors_find_one_pool(pair: tuple[str, str], tmp_path: Path) -> None:
    cluster, inside = plans(*pair, tmp_path)
    assert inside.queues is not None
    assert inside.mpi is not None
    selectors = {
        **{f"flavor {each.name}": (each.name, each.labels) for each in inside.queues.flavors},
        **{each.key: (re.sub("^(set|tj)-", "", each.key), each.pod.nodes) for each in inside.jobsets},
        **{each.name: (each.name.removeprefix("lws-"), each.pod.nodes) for each in inside.leader_worker_sets},
        **{each.key: (each.key.removeprefix("mpi-"), each.workers.nodes) for each in inside.mpi.jobs},
    }
    assert len(selectors) >= 8
    for what, (pool, selector) in selectors.items():
        assert found_by(selector, cluster) == {pool}, what
        # All slices of the pool, not only the first one.
        every = [each for each in cluster.pools if each.group == pool]
        assert all(selector.items() <= labels_of(each).items() for each in every), what
