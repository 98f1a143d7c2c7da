"""Decisions about what runs over the nodes of kind vm."""

from pathlib import Path

import pytest
from unit.test_resolve_vm import HEAD, plan_of

from clusterprint import catalog
from clusterprint.plan.vm import VmPlan

STORAGE = "storage: {volumes: [{name: results, kind: bucket, bucket: my-results}]}\n"
NODES = "nodes: {machine_type: %s, count: %s%s}\n" + STORAGE
SPOT = ", capacity: {model: spot}"


def described(plan: VmPlan) -> list[str]:
    """The lines of the only description."""
    assert plan.upload is not None
    (text,) = plan.upload.texts
    return text.text.splitlines()


def program(machine: str, folder: Path, run: str = "", more: str = "") -> VmPlan:
    nodes = NODES % (machine, 2, more)
    return plan_of(f"{HEAD}{nodes}bootstrap: {{mpi: {{run: {{name: app, command: [app]{run}}}}}}}\n", folder)


@pytest.mark.parametrize(
    ("machine", "run", "each"),
    [
        ("a2-highgpu-2g", "", "2"),
        ("n2-standard-8", "", "1"),
        ("n2-standard-8", ", processes_per_node: 4", "4"),
    ],
)
def test_there_is_a_process_for_each_gpu(machine: str, run: str, each: str, tmp_path: Path) -> None:
    assert f"processes_per_node={each}" in described(program(machine, tmp_path, run))


def test_what_is_left_out_is_no_fact(tmp_path: Path) -> None:
    lines = described(program("n2-standard-8", tmp_path))
    assert lines[1:] == [
        "group=nodes",
        "nodes=2",
        "processes_per_node=1",
        "bucket=my-results",
        f"results=c/runs/{lines[0].removeprefix('run=')}",
        "folder=",
        "time_limit=0",
        "word=app",
    ]


def test_the_description_comes_by_the_list_of_files_and_not_by_metadata(tmp_path: Path) -> None:
    one, other = (program("n2-standard-8", tmp_path, f", run: {word}") for word in ("a", "b"))
    assert one.groups == other.groups
    assert one.upload is not None
    assert other.upload is not None
    assert one.upload.manifest != other.upload.manifest
    assert one.upload.manifest.endswith("\t/etc/clusterprint/runs/20-mpi\n")
    assert "nodes" not in one.runs[0].name


def benchmark(machine: str, count: int, more: str, said: str = "") -> list[str]:
    nodes = NODES % (machine, count, more)
    return described(plan_of(f"{HEAD}{nodes}benchmark: {{nccl: {{{said}}}}}\n", Path()))


@pytest.mark.parametrize(
    ("machine", "count", "more", "said", "minimum"),
    [
        ("a4-highgpu-8g", 2, SPOT, "", "320"),
        ("a4-highgpu-8g", 1, SPOT, "", "0"),
        ("a4-highgpu-8g", 2, SPOT, "minimum_gb_per_s: 350", "350"),
        ("a4-highgpu-8g", 2, SPOT, "minimum_gb_per_s: 0", "0"),
        ("a2-highgpu-1g", 2, "", "", "0"),
    ],
)
def test_the_benchmark_is_compared_with_what_is_known(
    machine: str, count: int, more: str, said: str, minimum: str
) -> None:
    lines = benchmark(machine, count, more, said)
    assert f"minimum={minimum}" in lines
    assert "word=/opt/clusterprint/nccl-tests/all_reduce_perf" in lines


def test_what_is_known_is_of_machines_with_rdma() -> None:
    for name in ("a3-ultragpu-8g", "a4-highgpu-8g"):
        known, machine = catalog.google_nccl(name), catalog.machine(name)
        assert known is not None
        assert machine is not None
        # Below the line rate of the RDMA interfaces: 400 Gbit/s each.
        assert 0 < known.multi_node_gb_per_s < machine.network.rdma_nics * 400 / 8
    assert catalog.google_nccl("n2-standard-4") is None


def test_only_the_nodes_that_it_runs_on_build_the_benchmark(tmp_path: Path) -> None:
    text = (
        "node_groups: [{name: login, machine_type: n2-standard-4}, "
        "{name: compute, machine_type: a2-highgpu-1g, count: 2}]\n"
        f"{STORAGE}benchmark: {{nccl: {{group: compute}}}}\n"
    )
    login, compute = (
        group.template.metadata["startup-script"] for group in plan_of(f"{HEAD}{text}", tmp_path).groups
    )
    assert "steps/66-mpi" in login
    assert "steps/68-nccl-tests" not in login
    assert "steps/68-nccl-tests" in compute
