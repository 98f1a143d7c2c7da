"""`clusterprint results`: wait for a run in a cluster, and keep its log."""

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.access.command import SimulatedClock, answer, read
from clusterprint.cli import cluster_access
from clusterprint.cli.output import out_option, say
from clusterprint.errors import UsageError
from clusterprint.files import safe_write
from clusterprint.results import HEADING, Poller

if TYPE_CHECKING:
    from clusterprint.access.runs import FetchedRun

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
        clock = None if reached.simulate is None else SimulatedClock(environment)
        fetched = _fetched(reached, job or reached.part or None, context, environment)
        if outcome:
            answer(read(f"{fetched.end}={outcome}"), environment)
        poller = Poller(limit=timeout, log=lambda what: say(what, err=True), clock=clock)
        collected = fetched.collect(file, poller)
    say(f"{file}: {fetched.run} {'has succeeded' if collected.succeeded else 'has failed'}")
    sys.exit(0 if collected.succeeded else 1)


def _fetched(
    reached: cluster_access.Reached, job: str | None, context: str | None, environment: Mapping[str, str]
) -> "FetchedRun":
    from clusterprint.access import slurm
    from clusterprint.access.runs import runs_of

    blueprint, plans = reached.file, reached.plans
    if any(slurm.names_job(each, job or "") for each in plans):
        raise UsageError(
            f"Slurm keeps the output of job {job} itself: clusterprint jobs watch {blueprint}/{job} "
            f"waits, and clusterprint logs {blueprint}/{job} prints it"
        )
    login = "" if reached.simulate is None else reached.creation
    return _choose(blueprint, runs_of(plans, environment, context=context or "", login=login), job)


def _choose(path: Path, jobs: "Mapping[str, FetchedRun]", name: str | None) -> "FetchedRun":
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
