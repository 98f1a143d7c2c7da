"""`clusterprint results`: wait for a run in a cluster, and keep its log."""

import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click

from clusterprint.access.command import read
from clusterprint.cli import cluster_access
from clusterprint.cli.output import out_option, say
from clusterprint.errors import UsageError
from clusterprint.files import safe_write
from clusterprint.results import (
    HEADING,
    Collected,
    Gcloud,
    Kubectl,
    Poller,
    Run,
    VmRun,
    collect,
    collect_from_bucket,
)

if TYPE_CHECKING:
    from clusterprint.plan.part import StackPlan
    from clusterprint.plan.vm import RunPlan, VmPlan

Job = TypeVar("Job")

_FILE_NAME = re.compile(r"[A-Za-z0-9][-_.A-Za-z0-9]{0,99}")


def _file_name(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not _FILE_NAME.fullmatch(value):
        raise click.BadParameter("it names a file: letters, digits and -_. only")
    return value


@click.command("results")
@cluster_access.target
@click.option("--job", metavar="NAME", help="Job of the blueprint, if it has several.")
@click.option(
    "--run",
    "name",
    metavar="NAME",
    callback=_file_name,
    help="Name of the result. Left out: the name of the run.",
)
@cluster_access.TIMEOUT
@out_option("Folder of the results.", folder=True, default="results")
@click.option(
    "--context",
    metavar="NAME",
    help="kubectl context of the cluster. Left out: the context that gcloud creates.",
)
@cluster_access.OUTCOME
def results(  # noqa: PLR0913 - click passes options
    *,
    reached: cluster_access.Reached,
    job: str | None,
    name: str | None,
    timeout: int,
    out: Path,
    context: str | None,
    outcome: str | None,
    prints: bool,
) -> None:
    """Wait for a run, and keep its log.

    The run is the current one of a job. CLUSTER is a name or a blueprint's file, deployed without later
    changes: of kind gke with MPI jobs, JobSets or TrainJobs, of kind ray with jobs, of kind vm with an MPI
    program or NCCL's benchmark (nccl). PART is the job, as --job. The log is written to results/RUN.txt,
    under a heading with the result of the run. In a simulated cloud, waiting takes no time. Exit code 0 if
    the run succeeded, 1 if it failed, 3 on timeout, if Kueue has deactivated the run, or if the cluster
    cannot be reached.
    """
    cluster_access.check_outcome(reached, outcome)
    if reached.part and job and reached.part != job:
        raise UsageError(f"{reached.part} is another job than --job {job}")
    fetched = _fetched(reached, job or reached.part or None, context, os.environ)
    if prints:
        say("\n".join(fetched.commands))
        return
    file = out / f"{name or fetched.run}.txt"
    safe_write.check(file, out, (".txt",), lambda content: content.startswith(HEADING))
    with cluster_access.programs(reached.simulate) as environment:
        clock = None if reached.simulate is None else cluster_access.SimulatedClock(environment)
        fetched = _fetched(reached, job or reached.part or None, context, environment)
        if outcome:
            cluster_access.answer(read(f"{fetched.end}={outcome}"), environment)
        poller = Poller(limit=timeout, log=lambda what: say(what, err=True), clock=clock)
        collected = fetched.collect(file, poller)
    say(f"{file}: {fetched.run} {'has succeeded' if collected.succeeded else 'has failed'}")
    sys.exit(0 if collected.succeeded else 1)


class _Fetched(NamedTuple):
    """A run: how its log is collected, and the commands that one types for the same."""

    run: str
    collect: Callable[[Path, Poller], Collected]
    commands: tuple[str, ...]
    # What lets a simulated run end in a way, before = and that.
    end: str


def _fetched(
    reached: cluster_access.Reached, job: str | None, context: str | None, environment: Mapping[str, str]
) -> _Fetched:
    from clusterprint.access import slurm
    from clusterprint.plan.vm import VmPlan

    blueprint, plans = reached.file, reached.plans
    first = plans[0]
    if isinstance(first, VmPlan):
        if slurm.names_job(first, job or ""):
            raise UsageError(
                f"Slurm keeps the output of job {job} itself: clusterprint jobs watch {blueprint}/{job} "
                f"waits, and clusterprint logs {blueprint}/{job} prints it"
            )
        return _of_machines(
            first, _choose(blueprint, {each.key: each for each in first.runs}, job), environment
        )
    from clusterprint.access.jobs import jobs_of

    known, login = _cluster(first)
    namespace, run = _choose(blueprint, jobs_of(plans), job)
    if reached.simulate is not None:
        login = reached.creation
    kubectl = Kubectl(context=context or known, namespace=namespace, login=login, environment=environment)
    return _of_cluster(kubectl, run)


def _of_machines(plan: "VmPlan", run: "RunPlan", environment: Mapping[str, str]) -> _Fetched:
    gcloud = Gcloud(project=plan.project, environment=environment)
    where = VmRun(run.name, run.bucket, run.results)
    return _Fetched(
        run.name,
        lambda file, poller: collect_from_bucket(gcloud, where, file=file, poller=poller),
        tuple(gcloud.text(run.bucket, f"{run.results}/{each}") for each in ("status", "log")),
        f"gcloud storage objects update gs://{run.bucket}/{run.results}/status "
        "--custom-metadata=simulated-outcome",
    )


def _of_cluster(kubectl: Kubectl, run: Run) -> _Fetched:
    selector = run.kind.labels.format(name=run.name)
    return _Fetched(
        run.name,
        lambda file, poller: collect(kubectl, run, file=file, poller=poller),
        (
            kubectl.text("get", run.kind.resource, run.name),
            kubectl.text("logs", f"--selector={selector}", f"--container={run.container}", "--tail=-1"),
        ),
        kubectl.text("annotate", run.kind.resource, run.name, "simulated-outcome"),
    )


def _cluster(plan: "StackPlan") -> tuple[str, str]:
    """The kubectl context of a cluster, and the command that creates it."""
    from clusterprint.access.inside import inside, kubeconfig

    found = inside([plan])
    return found.context.partition("=")[2], kubeconfig(found).text


def _choose(path: Path, jobs: Mapping[str, Job], name: str | None) -> Job:
    names = ", ".join(jobs)
    if not jobs:
        raise UsageError(
            f"{path} has no MPI jobs, JobSets, TrainJobs or Ray jobs, and only those have results"
        )
    if name is None and len(jobs) > 1:
        raise UsageError(f"there are several jobs: say which one with --job ({names})")
    if name is not None and name not in jobs:
        raise UsageError(f"there is no job {name!r}; the jobs are {names}")
    return jobs[name] if name is not None else next(iter(jobs.values()))
