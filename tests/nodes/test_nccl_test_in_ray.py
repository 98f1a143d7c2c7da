"""The test of the network between GPUs in a real Ray of two small nodes; only PyTorch plays along.

Ray is large, and has an environment of its own: `python tools/install_clis.py`.
"""

import os
import subprocess
from collections.abc import Iterator

import pytest
from support import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.xdist_group("ray")]

PROGRAM = ROOT / "clusterprint/nodes/ray/nccl_test.py"
PYTHON = ROOT / ".cache/clis/ray/bin/python"
TORCH = ROOT / "tests/data/fake_ray/torch"
# Nodes with GPUs that Ray is only told of.
CLUSTER = """\
import sys
from ray.cluster_utils import Cluster
cluster = Cluster()
for _ in range(2):
    cluster.add_node(num_cpus=2, num_gpus=2, object_store_memory=100 * 2**20, include_dashboard=False)
print(cluster.address, flush=True)
sys.stdin.read()
cluster.shutdown()
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Where the head of a Ray cluster of two nodes is, and a PyTorch that plays along."""
    if not PYTHON.exists():
        message = "needs Ray: run `python tools/install_clis.py` (index of Python packages)"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    folder = tmp_path_factory.mktemp("packages")
    (folder / "torch").symlink_to(TORCH)
    known = {**os.environ, "PYTHONPATH": str(folder)}
    process = subprocess.Popen(
        [PYTHON, "-c", CLUSTER], env=known, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout
        yield {**known, "RAY_ADDRESS": process.stdout.readline().strip()}


def run(environment: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [PYTHON, PROGRAM, "--size-gb=1", "--iterations=2", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_each_gpu_of_each_node_has_a_rank(environment: dict[str, str]) -> None:
    done = run(environment, "--nodes=2", "--gpus-per-node=2")
    assert done.returncode == 0, done.stderr
    # As many as there are GPUs, and the slowest of them counts: 1 GiB in 0.04 s, times 2 x 3/4.
    assert [line for line in done.stdout.splitlines() if "iteration" in line] == [
        "iteration 1: 40.3 GB/s",
        "iteration 2: 40.3 GB/s",
    ]
    assert "passed: " in done.stdout


def test_more_nodes_than_there_are_do_not_come(environment: dict[str, str]) -> None:
    done = run(environment, "--nodes=3", "--gpus-per-node=2", "--wait=1")
    assert done.returncode == 2, done.stderr
    assert "FAILED: 3 workers with 2 GPUs did not come in time" in done.stdout


def test_too_little_bandwidth_fails_the_run(environment: dict[str, str]) -> None:
    done = run(environment, "--nodes=2", "--gpus-per-node=2", "--min-bandwidth=100000")
    assert done.returncode == 1, done.stderr
