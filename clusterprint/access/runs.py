"""Runs of a blueprint's jobs and benchmarks, whose logs can be collected when they have ended."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from clusterprint.access.inside import inside, kubeconfig
from clusterprint.access.jobs import jobs_of
from clusterprint.plan.part import StackPlan
from clusterprint.plan.vm import RunPlan, VmPlan
from clusterprint.results import (
    Collected,
    Gcloud,
    Kubectl,
    Poller,
    Run,
    VmRun,
    collect,
    collect_from_bucket,
)


class FetchedRun(NamedTuple):
    """A run: how its log is collected, and the commands that one types for the same.

    `end` with = and an outcome after it is the command that lets a simulated run end so.
    """

    run: str
    collect: Callable[[Path, Poller], Collected]
    commands: tuple[str, ...]
    end: str


def runs_of(
    plans: Sequence[StackPlan], environment: Mapping[str, str], *, context: str = "", login: str = ""
) -> dict[str, FetchedRun]:
    """The current run of each job of a cluster, by its name in the blueprint.

    `context` is that of kubectl, where it is not the one that gcloud creates; `login` is the command that
    creates it.
    """
    first = plans[0]
    if isinstance(first, VmPlan):
        return {each.key: _of_machines(first, each, environment) for each in first.runs}
    jobs = jobs_of(plans)
    if not jobs:
        return {}
    found = inside([first])
    context = context or found.context.partition("=")[2]
    login = login or kubeconfig(found).text

    def kubectl(namespace: str) -> Kubectl:
        return Kubectl(context=context, namespace=namespace, login=login, environment=environment)

    return {name: _of_cluster(kubectl(namespace), run) for name, (namespace, run) in jobs.items()}


def _of_machines(plan: VmPlan, run: RunPlan, environment: Mapping[str, str]) -> FetchedRun:
    gcloud = Gcloud(project=plan.project, environment=environment)
    where = VmRun(run.name, run.bucket, run.results)
    return FetchedRun(
        run.name,
        lambda file, poller: collect_from_bucket(gcloud, where, file=file, poller=poller),
        tuple(gcloud.text(run.bucket, f"{run.results}/{each}") for each in ("status", "log")),
        f"gcloud storage objects update gs://{run.bucket}/{run.results}/status "
        "--custom-metadata=simulated-outcome",
    )


def _of_cluster(kubectl: Kubectl, run: Run) -> FetchedRun:
    selector = run.kind.labels.format(name=run.name)
    return FetchedRun(
        run.name,
        lambda file, poller: collect(kubectl, run, file=file, poller=poller),
        (
            kubectl.text("get", run.kind.resource, run.name),
            kubectl.text("logs", f"--selector={selector}", f"--container={run.container}", "--tail=-1"),
        ),
        kubectl.text("annotate", run.kind.resource, run.name, "simulated-outcome"),
    )
