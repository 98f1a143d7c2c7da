"""`clusterprint results`: wait for a run in a cluster, and keep its log."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from clusterprint.cli.completion import blueprints
from clusterprint.cli.output import say
from clusterprint.cli.report import exit_code, print_report, utf8
from clusterprint.derived import durations
from clusterprint.errors import UsageError
from clusterprint.examine import examine

if TYPE_CHECKING:
    from clusterprint.plan.gke.mpi import MpiJobPlan
    from clusterprint.plan.gke.pod_groups import JobSetPlan
    from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
    from clusterprint.plan.vm import RunPlan, VmPlan

Job = TypeVar("Job", "MpiJobPlan | JobSetPlan", "RunPlan")

_FILE_NAME = re.compile(r"[A-Za-z0-9][-_.A-Za-z0-9]{0,99}")


def _seconds(_context: click.Context, _option: click.Parameter, value: str) -> int:
    try:
        return durations.seconds(value)
    except ValueError:
        raise click.BadParameter("a duration is a whole number and s, m, h or d, such as 30m") from None


def _file_name(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not _FILE_NAME.fullmatch(value):
        raise click.BadParameter("it names a file: letters, digits and -_. only")
    return value


@click.command("results")
@click.argument("blueprint", type=click.Path(path_type=Path), shell_complete=blueprints)
@click.option("--job", metavar="NAME", help="Job of the blueprint, if it has several.")
@click.option(
    "--run",
    "name",
    metavar="NAME",
    callback=_file_name,
    help="Name of the result. Left out: the name of the run.",
)
@click.option(
    "--timeout",
    default="1d",
    show_default=True,
    metavar="DURATION",
    callback=_seconds,
    help="Timeout for the run to finish.",
)
@click.option(
    "--out",
    default="results",
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the results.",
)
@click.option(
    "--context",
    metavar="NAME",
    help="kubectl context of the cluster. Left out: the context that gcloud creates.",
)
def results(  # noqa: PLR0913, PLR0917 - click passes options
    blueprint: Path, job: str | None, name: str | None, timeout: int, out: Path, context: str | None
) -> None:
    """Wait for the current run of a job, and keep its log.

    BLUEPRINT is a file of kind gke with MPI jobs or JobSets, or of kind vm with an MPI program or NCCL's
    benchmark (--job nccl), deployed as it is. The log is written to results/RUN.txt, under a heading with the
    result of the run. Exit code 0 if the run succeeded, 1 if it failed, 3 on timeout or if the cluster cannot
    be reached.
    """
    plan = _plan(blueprint)
    from clusterprint.plan.gke.pod_groups import JobSetPlan
    from clusterprint.plan.vm import VmPlan
    from clusterprint.results import (
        JOB_SET,
        MPI_JOB,
        Gcloud,
        Kubectl,
        Poller,
        Run,
        VmRun,
        collect,
        collect_from_bucket,
    )

    poller = Poller(limit=timeout, log=lambda what: say(what, err=True))
    if isinstance(plan, VmPlan):
        run = _choose(plan.runs, job)
        file = out / f"{name or run.name}.txt"
        gcloud = Gcloud(project=plan.project)
        collected = collect_from_bucket(
            gcloud, VmRun(run.name, run.bucket, run.results), file=file, poller=poller
        )
        finished = run.name
    else:
        chosen = _choose(_jobs(plan), job)
        file = out / f"{name or chosen.name}.txt"
        kubectl = Kubectl(
            context=context or plan.context, namespace=chosen.namespace, login=plan.outputs.connect[0]
        )
        kind = JOB_SET if isinstance(chosen, JobSetPlan) else MPI_JOB
        collected = collect(kubectl, Run(chosen.name, chosen.container, kind), file=file, poller=poller)
        finished = chosen.name
    say(f"{file}: {finished} {'has succeeded' if collected.succeeded else 'has failed'}")
    sys.exit(0 if collected.succeeded else 1)


def _plan(path: Path) -> "GkeWorkloadsPlan | VmPlan":
    """What has runs in a cluster of a blueprint; exits with the diagnostics of errors."""
    examined = examine([path])
    if examined.diagnostics:
        print_report(examined, "text", utf8(sys.stderr))
    code = exit_code(examined, strict=False)
    if code:
        sys.exit(code)
    from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
    from clusterprint.plan.vm import VmPlan
    from clusterprint.resolve import resolve

    for each in examined.results:
        if each.blueprint is not None:
            for plan in resolve(each.blueprint, each.document.folder):
                if isinstance(plan, GkeWorkloadsPlan) and _jobs(plan):
                    return plan
                if isinstance(plan, VmPlan) and plan.runs:
                    return plan
    raise UsageError(f"{path} has no MPI jobs and no JobSets, and only those have results")


def _jobs(plan: "GkeWorkloadsPlan") -> "tuple[MpiJobPlan | JobSetPlan, ...]":
    return (*(plan.mpi.jobs if plan.mpi else ()), *plan.jobsets)


def _choose(jobs: "Sequence[Job]", name: str | None) -> "Job":
    names = ", ".join(each.key for each in jobs)
    if name is None and len(jobs) > 1:
        raise UsageError(f"there are several jobs: say which one with --job ({names})")
    for each in jobs:
        if name in (None, each.key):
            return each
    raise UsageError(f"there is no job {name!r}; the jobs are {names}")
