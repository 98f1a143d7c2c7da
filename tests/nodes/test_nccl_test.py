"""The program that measures the network between GPUs, with a Ray and a PyTorch that only play along."""

import os
import subprocess
import sys

import pytest
from support import ROOT

from clusterprint.nodes.ray.nccl_test import REACHED, TOO_SLOW, bus_bandwidth, verdict

PROGRAM = ROOT / "clusterprint/nodes/ray/nccl_test.py"
FAKES = ROOT / "tests/data/fake_ray"


def run(*arguments: str, workers: str = "come") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(PROGRAM), "--size-gb=1", "--iterations=2", *arguments],
        env={**os.environ, "PYTHONPATH": str(FAKES), "FAKE_WORKERS": workers},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("size", "seconds", "ranks", "expected"),
    [
        (8_000_000_000, 0.04, 16, 375.0),  # 200 GB/s of data, times 2 x 15/16
        (8_000_000_000, 0.04, 2, 200.0),  # two GPUs send all of it once
        (8_000_000_000, 0.04, 1, 0.0),
    ],
)
def test_bus_bandwidth_counts_what_each_gpu_sends(
    size: int, seconds: float, ranks: int, expected: float
) -> None:
    assert bus_bandwidth(size, seconds, ranks) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("microseconds", "ranks", "algbw", "busbw"),
    [
        (67689, 16, 126.90, 237.94),  # two machines with 8 A100 each
        (48298, 16, 177.85, 333.47),  # two machines with 8 H100 each
        (18006, 8, 477.05, 834.84),  # 8 B200 in one machine
        (2225678.4, 8, 3.86, 6.76),  # 8 GPUs, one to a machine, over TCP
    ],
)
def test_bandwidths_are_those_of_nccl_tests(
    microseconds: float, ranks: int, algbw: float, busbw: float
) -> None:
    """Lines of all_reduce_perf for 8 GiB, as its users have published them: times are whole microseconds."""
    size = 8_589_934_592
    rounded = 0.5 / microseconds
    assert size / microseconds / 1e3 == pytest.approx(algbw, abs=0.006 + rounded * algbw)
    assert bus_bandwidth(size, microseconds / 1e6, ranks) == pytest.approx(busbw, abs=0.006 + rounded * busbw)


def test_the_median_decides_and_the_minimum_itself_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    assert verdict([100.0, 350.0, 360.0], 350) == REACHED
    assert "median 350.0, least 100.0, most 360.0 GB/s" in capsys.readouterr().out
    assert verdict([349.9, 349.9, 900.0], 350) == TOO_SLOW


def test_every_gpu_of_every_node_takes_part() -> None:
    done = run("--nodes=2", "--gpus-per-node=2")
    assert done.returncode == 0, done.stderr
    assert "bundles [{'GPU': 2, 'CPU': 2}, {'GPU': 2, 'CPU': 2}] STRICT_SPREAD" in done.stdout
    assert [line for line in done.stdout.splitlines() if "bundle " in line] == [
        f"actor on bundle {node}" for node in (0, 0, 1, 1)
    ]
    assert all(f"nccl tcp {rank} of 4" in done.stdout for rank in range(4))
    assert "elements 268435456 on cuda" in done.stdout
    assert "passed: " in done.stdout


def test_the_slowest_gpu_counts_and_warming_up_does_not() -> None:
    done = run("--nodes=2", "--gpus-per-node=2")
    # 1 GiB in 0.04 s, which the last of four takes, times 2 x 3/4
    assert [line for line in done.stdout.splitlines() if "iteration" in line] == [
        "iteration 1: 40.3 GB/s",
        "iteration 2: 40.3 GB/s",
    ]


def test_too_little_bandwidth_fails() -> None:
    done = run("--nodes=1", "--gpus-per-node=4", "--min-bandwidth=100000")
    assert done.returncode == 1
    assert "GB/s is less than 100000 GB/s" in done.stdout


def test_workers_that_do_not_come_fail() -> None:
    done = run("--nodes=3", "--wait=1", workers="stay away")
    assert done.returncode == 2
    assert "FAILED: 3 workers with 8 GPUs did not come in time" in done.stdout


@pytest.mark.parametrize("wrong", ["--nodes=0", "--nodes=-1", "--iterations=many"])
def test_numbers_that_are_none_are_refused(wrong: str) -> None:
    done = run(wrong)
    assert done.returncode == 2
    assert "is not a whole number of at least 1" in done.stderr
