"""Results of a job that runs in a cluster: wait for its end, keep its log.

Everything is asked through kubectl, or for machines through gcloud, as the user has it.
"""

from clusterprint.results.collect import (
    HEADING,
    JOB_SET,
    MPI_JOB,
    RAY_JOB,
    TRAIN_JOB,
    Collected,
    Run,
    collect,
)
from clusterprint.results.gcloud import Gcloud
from clusterprint.results.kubectl import Kubectl
from clusterprint.results.poller import Clock, Poller
from clusterprint.results.rayjob import SUBMITTER
from clusterprint.results.vm_run import VmRun, collect_from_bucket

__all__ = [
    "HEADING",
    "JOB_SET",
    "MPI_JOB",
    "RAY_JOB",
    "SUBMITTER",
    "TRAIN_JOB",
    "Clock",
    "Collected",
    "Gcloud",
    "Kubectl",
    "Poller",
    "Run",
    "VmRun",
    "collect",
    "collect_from_bucket",
]
