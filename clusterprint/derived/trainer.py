"""Kubeflow Trainer: what its runtimes are, and what they tell the nodes of a job."""

from typing import NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.gke.pod_groups import TrainJob
from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.derived.queues import version

#: Trainer's name for the pods of a job, and for the container of the program.
NODE = "node"

# The first version of Kueue that places TrainJobs by `runtimePatches`, which Trainer reads since 2.2.
_KUEUE = (0, 17)


class Runtime(NamedTuple):
    """A runtime: its key in an ML policy, and the environment variables that Trainer sets."""

    policy: str
    sets: tuple[str, ...]


RUNTIMES = {
    "torch-distributed": Runtime(
        "torch",
        ("PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT"),
    ),
    "jax-distributed": Runtime("jax", ("JAX_NUM_PROCESSES", "JAX_PROCESS_ID", "JAX_COORDINATOR_ADDRESS")),
    "xgboost-distributed": Runtime(
        "xgboost", ("DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID", "DMLC_NUM_WORKER")
    ),
}


def overwritten(job: TrainJob) -> tuple[str, ...]:
    """The variables of a job that Trainer sets itself, whatever the job says."""
    return tuple(name for name in RUNTIMES[job.runtime].sets if name in job.env)


def older_kueue(kueue: Kueue) -> str:
    """The version of Kueue, if it does not know how to place jobs of this Trainer."""
    return "" if kueue.version is UNSET or version(kueue.version) >= _KUEUE else kueue.version
