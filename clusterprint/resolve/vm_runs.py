"""Decisions about what runs over the nodes of `kind: vm`."""

import base64
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_bootstrap import MpiRun, NcclBenchmark, Together
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import durations, node_groups, node_settings, state_names, vm_runs
from clusterprint.derived.run_names import run_name
from clusterprint.errors import InternalError
from clusterprint.files.checked import md5_of
from clusterprint.files.tree import landing
from clusterprint.nodes.vm.run import FOLDER, description
from clusterprint.plan.google import TextPlan
from clusterprint.plan.vm import RunPlan
from clusterprint.plan.vm_nodes import RunFacts

# Where nodes have the benchmark: built by their step 68-nccl-tests.
_ALL_REDUCE = "/opt/clusterprint/nccl-tests/all_reduce_perf"

# MPI only starts the benchmark, so its own traffic goes the simplest way; the data goes through NCCL.
_PLAIN_MPI = ("--mca", "pml", "ob1", "--mca", "btl", "self,tcp")

# Ten runs after five to warm up, of which the mean counts; a benchmark that hangs ends.
_REPEATS = ("-w", "5", "-n", "10")
_BENCHMARK_LIMIT = 1800

# Nodes run what is described in the order of the files' names.
_ORDER = {"nccl": "10", "mpi": "20"}


class Described(NamedTuple):
    """A run: what the stack knows of it, and what the nodes read."""

    plan: RunPlan
    text: TextPlan


def resolve_runs(blueprint: VmBlueprint, folder: Path) -> tuple[Described, ...]:
    """All that runs over several nodes, in order; `folder` is that of the blueprint."""
    return tuple(_described(blueprint, each, folder) for each in vm_runs.runs(blueprint))


def _described(blueprint: VmBlueprint, run: Together, folder: Path) -> Described:
    group, bucket = vm_runs.group_of(blueprint, run), vm_runs.bucket_of(blueprint, run)
    if group is None or bucket is None:
        raise InternalError("a run passed validation, but it has no group or no bucket")
    if isinstance(run, MpiRun):
        role, key = "mpi", run.name
        facts = _program(run, group, folder)
    elif isinstance(run, NcclBenchmark):
        role = key = vm_runs.NCCL
        facts = _benchmark(run, group)
    else:
        raise InternalError("a run is neither a program nor the benchmark")
    name = run_name(key, run, *facts.files.values())
    results = state_names.run_results(blueprint.name, name)
    described = RunFacts(
        run=name,
        group=node_groups.name_on_nodes(group),
        nodes=group.count,
        bucket=bucket,
        results=results,
        **facts._asdict(),
    )
    return Described(
        RunPlan(key=key, name=name, bucket=bucket, results=results),
        TextPlan(key=f"run-{role}", path=f"{FOLDER}/{_ORDER[role]}-{role}", text=description(described)),
    )


class _Facts(NamedTuple):
    processes_per_node: int
    folder: str
    time_limit: int
    options: tuple[str, ...]
    env: dict[str, str]
    command: tuple[str, ...]
    files: dict[str, str]
    minimum: int | None


def _program(run: MpiRun, group: VmNodes, folder: Path) -> _Facts:
    each = run.processes_per_node
    return _Facts(
        processes_per_node=(node_settings.gpus(group) or 1) if each is UNSET else each,
        folder="" if run.folder is UNSET else run.folder,
        time_limit=0 if run.time_limit is UNSET else durations.seconds(run.time_limit),
        options=run.mpirun_options,
        env=run.env,
        command=run.command,
        files={
            place: base64.b64decode(md5_of(file, folder)).hex()
            for copy in run.files
            for place, file in landing(folder / copy.source, copy.landing, folder)
        },
        minimum=None,
    )


def _benchmark(run: NcclBenchmark, group: VmNodes) -> _Facts:
    return _Facts(
        processes_per_node=node_settings.gpus(group),
        folder="",
        time_limit=_BENCHMARK_LIMIT,
        options=_PLAIN_MPI,
        env={},
        # One GPU for each process.
        command=(_ALL_REDUCE, "-b", run.size, "-e", run.size, "-g", "1", *_REPEATS),
        files={},
        minimum=_expected(group) if run.minimum_gb_per_s is UNSET else run.minimum_gb_per_s,
    )


def _expected(group: VmNodes) -> int:
    """The bus bandwidth that is fast enough; 0 where nothing is known."""
    known = catalog.google_nccl(group.machine_type)
    if known is None:
        return 0
    return known.multi_node_gb_per_s if group.count > 1 else known.single_node_gb_per_s
