"""`clusterprint jobs`: list, watch and cancel the jobs of a cluster."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import click

from clusterprint.access.command import SimulatedClock, execute
from clusterprint.cli import cluster_access, lifecycle
from clusterprint.cli.output import FORMAT, say
from clusterprint.cli.tables import lined_up
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.exit_codes import Code
from clusterprint.results import Poller
from clusterprint.words import listed

if TYPE_CHECKING:
    from clusterprint.results import Clock
    from clusterprint.status.jobs import Jobs
    from clusterprint.status.machines import Job

_Key = tuple[str, str]
_A_WEEK = 7 * 24 * 3600
_SOURCES = {
    "sacct": "the accounts of Slurm (sacct); --since says how far they are read",
    "scontrol": "the memory of Slurm's controller (scontrol), which forgets a job 5 minutes after its end; "
    "accounting in the blueprint keeps all",
}


@click.group("jobs")
def jobs() -> None:
    """List, watch and cancel jobs.

    MPI jobs, JobSets, TrainJobs and Ray jobs of kinds gke and ray; of kind vm, programs over machines, and of
    kinds vm and vmss, jobs of Slurm by their ids. Programs that `submit` sends to Ray are in Ray's dashboard.
    CLUSTER is a name or a blueprint's file.
    """


@jobs.command("list")
@cluster_access.reaching
@click.option(
    "--ended",
    is_flag=True,
    help="Only those that have ended; of Slurm with exit code, run time and nodes, from its accounts, or, "
    "without accounting in the blueprint, those of the last minutes.",
)
@click.option(
    "--since",
    metavar="DURATION",
    callback=lambda context, option, value: value and cluster_access.seconds(context, option, value),
    help="With --ended: how far to look back in the accounts of Slurm; 7d if left out.",
)
@FORMAT
def list_(*, reached: cluster_access.Reached, ended: bool, since: int | None, form: str) -> None:
    """List the jobs of a cluster.

    What serves is listed, too. JSON is one object. Exit code 3 if something could not be read.
    """
    from clusterprint.status.jobs import FINAL

    if since is not None and not ended:
        raise UsageError("--since is for jobs that have ended: give --ended, too")
    with _asking(reached, (since or _A_WEEK) if ended else 0) as asking:
        found = asking.ask()
    chosen = [each for each in _chosen(found, reached.part) if not ended or each.state in FINAL]
    if form == "json":
        rows = [
            {**each._asdict(), "job": found.keys.get(each.name, ""), **found.ended.get(each.name, {})}
            for each in chosen
        ]
        data = {"jobs": rows, "source": found.source, "unknown": list(found.unknown)}
        say(json.dumps(data, indent=2, ensure_ascii=False))
    elif chosen:
        cells = [(each.name, each.kind, each.namespace or "-", each.state, each.message) for each in chosen]
        say("\n".join(lined_up(("NAME", "KIND", "NAMESPACE", "STATE", "MESSAGE"), cells)))
    elif not found.unknown:
        say("no jobs")
    if found.source and form == "text":
        say(f"from {_SOURCES[found.source]}")
    _end(found)


@jobs.command("watch")
@cluster_access.reaching
@cluster_access.TIMEOUT
def watch(*, reached: cluster_access.Reached, timeout: int) -> None:
    """Follow jobs until they have ended.

    PART is a job of the blueprint, or the name of a run. Left out: all jobs that have not ended. What serves
    never ends, and is left out. Exit code 0 if all succeeded, 1 if one failed, 3 on timeout or if the cluster
    cannot be reached.
    """
    from clusterprint.results.kubectl import Unanswered
    from clusterprint.status.jobs import FINAL, RUN, SUCCEEDED

    told: dict[_Key, str] = {}
    with _asking(reached) as asking:
        first = asking.ask()
        chosen = _chosen(first, reached.part)
        names = {_key(each) for each in chosen if _key(each) in first.ends or each.kind == RUN}
        if not reached.part:
            names -= {_key(each) for each in chosen if each.state in FINAL}
        if not names:
            say("no job runs or waits")
            _end(first)

        def look() -> "list[Job]":
            seen = asking.ask()
            if seen.unknown:
                raise Unanswered("; ".join(seen.unknown))
            now = [each for each in seen.jobs if _key(each) in names]
            for each in now:
                state = f"{each.state}{f' ({each.message})' if each.message else ''}"
                if told.get(_key(each)) != state:
                    told[_key(each)] = state
                    say(f"{each.name}: {state}")
            if gone := names - {_key(each) for each in now}:
                raise EnvironmentFailure(f"{listed(sorted(name for _, name in gone), 'and')} is gone")
            return now

        poller = Poller(limit=timeout, log=lambda what: say(what, err=True), clock=asking.clock)
        found = poller.until(lambda now: all(each.state in FINAL for each in now), look)
    if found is None:
        raise EnvironmentFailure("the time is up; the jobs go on: watch them again, or longer (--timeout)")
    sys.exit(Code.DONE if all(each.state in SUCCEEDED for each in found) else Code.PROBLEMS)


@jobs.command("cancel")
@cluster_access.reaching
@click.argument("name", required=False)
@lifecycle.YES
@cluster_access.PRINT
def cancel(*, reached: cluster_access.Reached, name: str | None, yes: bool, prints: bool) -> None:
    """End a job before its end.

    NAME (or CLUSTER/NAME) is a job of the blueprint or the name of a run, as `jobs list` shows it. Of
    Kubernetes, its object is deleted; on machines, the program is ended, and its log is kept. Exit code 6 if
    it is not confirmed.
    """
    wanted = reached.part or name
    if not wanted or (reached.part and name):
        raise UsageError("name one job: clusterprint jobs cancel CLUSTER NAME")
    from clusterprint.status.jobs import ENDED, RUN

    with _asking(reached) as asking:
        found = asking.ask()
        [job, *more] = _chosen(found, wanted)
        if more:
            places = listed([each.namespace for each in (job, *more)], "and")
            raise UsageError(f"several jobs are called {wanted}, in namespaces {places}: name a run")
        if job.state in ENDED:
            say(f"{job.name} has ended already: {job.state}")
            return
        command = found.ends.get(_key(job))
        if command is None:
            why = "has not begun, so no node runs it" if job.kind == RUN else "serves without end"
            raise UsageError(f"{job.name} {why}: remove it from the blueprint, and run clusterprint up")
        if prints:
            say(command.text)
            return
        say(f"{job.kind} {job.name}: {job.state}")
        if not lifecycle.agreed(f"Cancel {job.name}?", yes=yes):
            sys.exit(Code.REFUSED)
        done = execute(command, asking.environment)
        if done.returncode:
            raise EnvironmentFailure(f"{command.text} failed: {done.stderr.strip()}")
    say(f"cancelled {job.name}")
    if job.name in found.keys:
        say("to run it again, change it in the blueprint, and run clusterprint up")


class _Asking(NamedTuple):
    """How the jobs of a cluster are asked for again, and by which clock."""

    ask: "Callable[[], Jobs]"
    clock: "Clock | None"
    environment: Mapping[str, str]


@contextmanager
def _asking(reached: cluster_access.Reached, ended: int = 0) -> Iterator[_Asking]:
    from clusterprint.status.jobs import jobs_in
    from clusterprint.status.programs import Programs

    plans = reached.reachable()
    with cluster_access.programs(reached.simulate) as environment:
        simulated = reached.simulate is not None
        clock = SimulatedClock(environment) if simulated else None
        asked = Programs(environment, simulated=simulated)
        yield _Asking(lambda: jobs_in(plans, asked, ended), clock, environment)


def _key(job: "Job") -> _Key:
    return job.namespace, job.name


def _chosen(found: "Jobs", name: str) -> "Sequence[Job]":
    """The jobs of a name, or all. Raises UsageError if there is none of this name."""
    if not name:
        return found.jobs
    chosen = found.named(name)
    if not chosen and found.unknown:
        raise EnvironmentFailure(f"not known: {'; '.join(found.unknown)}")
    if not chosen:
        names = listed([each.name for each in found.jobs], "and")
        raise UsageError(
            f"there is no job {name!r}; {f'the jobs are {names}' if names else 'there are none'}"
        )
    return chosen


def _end(found: "Jobs") -> NoReturn:
    for each in found.unknown:
        say(f"not known: {each}", err=True)
    sys.exit(Code.FAILED if found.unknown else Code.DONE)
