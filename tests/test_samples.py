"""The jobs of our own blueprints do what they are there for, as far as a machine without GPUs can show."""

import math
import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from nodes.conftest import need
from ruamel.yaml import YAML
from support import BLUEPRINTS

from clusterprint.examine import examine
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.mpi import MpiJobPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.plan.part import StackPlan
from clusterprint.resolve import resolve

# Debian's package of HPL is part of a larger suite, which reads these lines after those of HPL.
HPCC = """\
##### of the suite #####
0 sizes of PTRANS
1
0 blocks of PTRANS
1
"""
XHPL = """\
#!/bin/sh
# HPL as Debian has it: the suite reads hpccinf.txt and writes hpccoutf.txt, xhpl reads HPL.dat and prints.
if [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then
    cat HPL.dat "$SUITE" >hpccinf.txt.new && mv hpccinf.txt.new hpccinf.txt
fi
until [ -s hpccinf.txt ]; do :; done
hpcc
if [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then
    cat hpccoutf.txt
fi
"""


def plans(blueprint: str) -> tuple[StackPlan, ...]:
    file = BLUEPRINTS / blueprint
    [found] = examine([file]).results
    assert found.blueprint
    return resolve(found.blueprint, file.parent)


def pods(item: Any) -> list[dict[str, Any]]:
    """The templates of pods in an object, with how many of each there are."""
    jobs = item["spec"]["replicatedJobs"]
    return [each["template"]["spec"] for each in jobs]


def test_the_tpu_sample_needs_a_slice_that_only_the_provisioner_makes() -> None:
    cluster, inside = plans("gke-tpu-v5p-spot.yaml")
    assert isinstance(cluster, GkeClusterPlan)
    assert isinstance(inside, GkeWorkloadsPlan)
    assert inside.provisioner
    there = {(each.node.tpu.accelerator, each.node.tpu.topology) for each in cluster.pools if each.node.tpu}
    assert there, "a pool that is always there, so that the difference matters"
    [job] = pods(YAML(typ="safe").load(BLUEPRINTS / "jobs" / "tpu-hello.yaml"))
    spec = job["template"]["spec"]
    labels = spec["nodeSelector"]
    topology = labels["cloud.google.com/gke-tpu-topology"]
    assert (labels["cloud.google.com/gke-tpu-accelerator"], topology) not in there
    # All chips of the slice, no more and no fewer.
    chips = spec["containers"][0]["resources"]["limits"]["google.com/tpu"]
    assert job["parallelism"] == job["completions"]
    assert job["parallelism"] * chips == math.prod(map(int, topology.split("x")))


def hpl() -> MpiJobPlan:
    _, inside = plans("gke-mpi-hpl.yaml")
    assert isinstance(inside, GkeWorkloadsPlan)
    assert inside.mpi
    [job] = inside.mpi.jobs
    return job


def smaller(data: str) -> str:
    """The same run on a matrix that a machine without workers has the time for."""
    assert data.count("40960 ") == data.count("192 ") == 1
    return data.replace("40960 ", "64 ").replace("192 ", "16 ")


def test_the_hpl_sample_asks_for_as_many_processes_as_its_grid_and_its_slots() -> None:
    job = hpl()
    assert job.files
    [data] = job.files.texts.values()
    rows, columns = (int(line.split()[0]) for line in data.splitlines() if line.endswith((" Ps", " Qs")))
    assert f"mpirun -np {rows * columns} " in job.launcher.command[-1]
    assert rows * columns == job.workers.count * job.slots


@pytest.mark.long
@pytest.mark.slow
def test_the_hpl_sample_runs_with_open_mpi_and_hpl(tmp_path: Path) -> None:
    """Its command and its file, on this machine in place of its workers."""
    need("mpirun", "hpcc")
    job = hpl()
    assert job.files
    [data] = job.files.texts.values()
    [destination] = job.files.destinations.values()
    home = tmp_path / Path(destination).parent.name
    home.mkdir()
    (home / Path(destination).name).write_text(smaller(data), "utf-8")
    (tmp_path / "suite").write_text(HPCC)
    (tmp_path / "xhpl").write_text(XHPL)
    (tmp_path / "xhpl").chmod(0o755)
    shell = shlex.split(job.launcher.command[-1])
    inner = shell[shell.index("--run") + 1]
    assert "--bind-to core" in inner, "which a machine with fewer cores than processes refuses"
    (tmp_path / "hostfile").write_text(f"localhost slots={job.workers.count * job.slots}\n")
    environment = {
        **os.environ,
        "HOME": str(home),
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "SUITE": str(tmp_path / "suite"),
        # What the operator gives the launcher: where the workers are.
        "OMPI_MCA_orte_default_hostfile": str(tmp_path / "hostfile"),
        # More processes than cores: whoever waits lets the others run.
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }
    done = subprocess.run(
        ["bash", "-c", inner.replace("--bind-to core", "--bind-to none")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "PASSED" in done.stdout
    [result] = [line.split() for line in done.stdout.splitlines() if line.startswith("WR")]
    assert result[1:5] == ["64", "16", "2", "3"]
