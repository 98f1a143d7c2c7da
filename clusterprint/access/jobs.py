"""The jobs of a Kubernetes cluster, as objects in it; and another run of one."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from clusterprint.errors import EnvironmentFailure
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.plan.part import StackPlan
from clusterprint.plan.ray.ray import RayPlan
from clusterprint.results import JOB_SET, RAY_JOB, SUBMITTER, TRAIN_JOB, Kubectl, Run
from clusterprint.results.kubectl import Unanswered

# What Helm knows its objects by: another run is nobody's but the user's.
_MANAGED_BY = "app.kubernetes.io/managed-by"
# Where Kueue has put a TrainJob: it adds another one, and refuses two.
_PATCHES = "runtimePatches"


def jobs_of(inside: Sequence[StackPlan]) -> dict[str, tuple[str, Run]]:
    """The namespace and the current run of each job in a Kubernetes cluster, by its name in the blueprint."""
    found = {}
    for plan in inside:
        if isinstance(plan, GkeWorkloadsPlan):
            for mpi in plan.mpi.jobs if plan.mpi else ():
                found[mpi.key] = mpi.namespace, Run(mpi.name, mpi.container)
            for jobset in plan.jobsets:
                kind = TRAIN_JOB if jobset.trainer else JOB_SET
                found[jobset.key] = jobset.namespace, Run(jobset.name, jobset.container, kind)
        if isinstance(plan, RayPlan):
            for job in plan.jobs:
                found[job.name] = plan.namespace, Run(job.run, SUBMITTER, RAY_JOB)
    return found


def again(found: Mapping[str, Any], job: str) -> dict[str, Any]:
    """The object of another run: as a run says it of itself, under a name that the cluster makes up."""
    labels = found["metadata"].get("labels") or {}
    kept = {name: text for name, text in labels.items() if name != _MANAGED_BY}
    metadata = {"generateName": f"{job}-", **({"labels": kept} if kept else {})}
    return {
        "apiVersion": found["apiVersion"],
        "kind": found["kind"],
        "metadata": metadata,
        "spec": {name: value for name, value in found["spec"].items() if name != _PATCHES},
    }


def again_text(kubectl: Kubectl, run: Run, job: str) -> str:
    """The same as one types it: kubectl, and jq between."""
    spec = f"spec: (.spec | del(.{_PATCHES}))" if run.kind is TRAIN_JOB else "spec"
    changed = (
        f'{{apiVersion, kind, metadata: {{generateName: "{job}-", labels: ((.metadata.labels // {{}}) '
        f'| del(.["{_MANAGED_BY}"]))}}, {spec}}}'
    )
    get = kubectl.text("get", run.kind.resource, run.name, "--output=json")
    return f"{get} | jq {shlex.quote(changed)} | {kubectl.text('create', '--filename=-')}"


def run_again(kubectl: Kubectl, run: Run, job: str) -> str:
    """Start another run of a job; the name of its object. Raises EnvironmentFailure if that cannot be."""
    try:
        found = kubectl.find(run.kind.resource, run.name)
        if found is None:
            raise EnvironmentFailure(
                f"{run.name} is not in the cluster, so there is nothing to run again: "
                "clusterprint up creates it (again, if it was cleaned up after its end)"
            )
        return kubectl.create(again(found, job))
    except Unanswered as error:
        raise EnvironmentFailure(f"the cluster refused it: {error}") from error
