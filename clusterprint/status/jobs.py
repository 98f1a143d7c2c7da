"""The jobs of a cluster: objects of Kubernetes, runs over machines of kind vm, jobs of Slurm."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from clusterprint.access import slurm
from clusterprint.access.command import Command
from clusterprint.access.inside import inside
from clusterprint.access.jobs import jobs_of as own_jobs
from clusterprint.access.machines import vm_shell
from clusterprint.errors import UsageError
from clusterprint.plan.part import StackPlan
from clusterprint.plan.vm import RunPlan, VmPlan
from clusterprint.plan.vmss import VmssPlan
from clusterprint.results import Gcloud
from clusterprint.status import kubernetes
from clusterprint.status.machines import Job
from clusterprint.status.programs import Missing, Programs, Unasked

#: States of jobs that do not change any more; those that stop early have failed.
SUCCEEDED = ("succeeded", "complete")
ENDED = (*SUCCEEDED, "failed", "stopped")
#: Those in which a job stays by itself.
FINAL = (*ENDED, kubernetes.DEACTIVATED)
#: The kind of runs over machines.
RUN = "Run"
#: The kind of jobs of Slurm.
SLURM = "SlurmJob"
#: States of jobs that have not ended.
WAITING, RUNNING = "queued", "running"
# States of Slurm that have another name here; those that are left out are told as they are.
_OF_SLURM = {
    "PENDING": WAITING,
    **dict.fromkeys(("COMPLETING", "CONFIGURING", "STOPPED"), RUNNING),
    "COMPLETED": SUCCEEDED[0],
    "CANCELLED": "stopped",
    **dict.fromkeys(
        ("BOOT_FAIL", "DEADLINE", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED", "TIMEOUT"), "failed"
    ),
}
# A job as `scontrol` shows it in one line.
_SHOWN = re.compile(
    r"JobId=(\d+)(?: ArrayJobId=(\d+) ArrayTaskId=(\S+))?.*? JobName=(.*?) "
    r"UserId=([^ (]*)\(\d+\) .*?JobState=(\S+) "
    r".*? ExitCode=(\S+) RunTime=(\S+) .*? Partition=(\S+) .*? NodeList=(\S*)"
)


class Jobs(NamedTuple):
    """The jobs of a cluster, what ends each of them, and the reasons why some are not known.

    `keys` are the names in the blueprint of those that are its own, by the name of the run. Of ended jobs of
    Slurm, `ended` has more by their ids, from `source`.
    """

    jobs: tuple[Job, ...]
    ends: Mapping[tuple[str, str], Command]
    keys: Mapping[str, str]
    unknown: tuple[str, ...] = ()
    ended: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    source: str = ""

    def named(self, name: str) -> list[Job]:
        """The jobs of a name: that of a run, or that of a job of the blueprint."""
        return [each for each in self.jobs if name in {each.name, self.keys.get(each.name)}]


def jobs_in(plans: Sequence[StackPlan], programs: Programs, ended: int = 0) -> Jobs:
    """Jobs of a cluster; of Slurm, instead those that have `ended` in so many seconds, unless that is 0.

    Raises UsageError if its kind has none.
    """
    first = plans[0]
    if isinstance(first, VmssPlan):
        if slurm.has_slurm(first):
            return _of_slurm(first, programs, ended)
        raise UsageError(
            "these machines of kind vmss have no jobs: programs are started on the head; with "
            "bootstrap.slurm and a public address of the head, there are those of Slurm"
        )
    if isinstance(first, VmPlan):
        return _of_machines(first, programs, ended)
    of = inside(plans)
    found, unknown = kubernetes.jobs_of(of, programs)
    ends = {
        (job.namespace, job.name): Command(
            ("kubectl", of.context, f"--namespace={job.namespace}", "delete", kind, job.name, "--wait=false")
        )
        for kind, job in found
        if kind not in kubernetes.SERVING
    }
    keys = {run.name: key for key, (_, run) in own_jobs(plans).items()}
    content = slurm.plan_with(plans)
    more = _of_slurm(content, programs, ended) if content else Jobs((), {}, {})
    return more._replace(
        jobs=(*(job for _, job in found), *more.jobs),
        ends={**ends, **more.ends},
        keys=keys,
        unknown=(*unknown, *more.unknown),
    )


def _of_machines(plan: VmPlan, programs: Programs, ended: int) -> Jobs:
    jobs: list[Job] = []
    unknown: list[str] = []
    ends: dict[tuple[str, str], Command] = {}
    for run in plan.runs:
        try:
            said = _status(plan, run, programs)
        except Unasked as error:
            unknown.append(f"{run.name}: {error}")
            continue
        jobs.append(Job(RUN, run.name, "", said.get("state", WAITING), said.get("message", "")))
        if node := said.get("node"):
            # What limits the time of the run ends it, and the node reports how.
            stop = ("sudo", "pkill", "--uid", "clusterprint", "--exact", "timeout")
            ends["", run.name] = vm_shell(plan, node, stop)
    found = _of_slurm(plan, programs, ended) if slurm.has_slurm(plan) else Jobs((), {}, {})
    return found._replace(
        jobs=(*jobs, *found.jobs),
        ends={**ends, **found.ends},
        keys={each.name: each.key for each in plan.runs},
        unknown=(*unknown, *found.unknown),
    )


def _of_slurm(plan: slurm.Anywhere, programs: Programs, ended: int) -> Jobs:
    try:
        if ended:
            found, more = ended_in(programs.text(*slurm.ended(plan, ended).words))
            source = "sacct" if slurm.keeps_accounts(plan) else "scontrol"
        else:
            found, more, source = list(queued(programs.text(*slurm.queue(plan).words))), {}, ""
    except Unasked as error:
        return Jobs((), {}, {}, (f"Slurm: {error}",))
    ends = {("", each.name): slurm.cancel(plan, each.name) for each in found}
    return Jobs(tuple(found), ends, {}, (), more, source)


def ended_in(text: str) -> tuple[list[Job], dict[str, dict[str, str]]]:
    """Ended jobs in a list of `sacct` or `scontrol`, and more of each. Raises Unasked for other lines."""
    jobs, more = [], {}
    for line in text.splitlines():
        cells = line.split("|", len(slurm.ACCOUNTS) - 1)
        if (shown := _SHOWN.match(line)) is not None:
            cells = [f"{shown[2]}_{shown[3]}" if shown[2] else shown[1], *shown.group(6, 7, 8, 10, 5, 9, 4)]
        elif line == "No jobs in the system":
            continue
        elif len(cells) < len(slurm.ACCOUNTS):
            raise Unasked(f"the controller did not list jobs: {line[:80]}")
        job, said, code, elapsed, nodes, user, partition, name = cells
        state = state_of(said.partition(" ")[0])
        if state in FINAL:
            where = f"exit code {code}, {elapsed} on {nodes}: {name}, of {user}, in {partition}"
            jobs.append(Job(SLURM, job, "", state, where))
            more[job] = {"exit_code": code, "elapsed": elapsed, "node_list": nodes}
    return jobs, more


def queued(text: str) -> Iterator[Job]:
    """The jobs that `squeue` lists. Raises Unasked if a line is none of its."""
    for line in text.splitlines():
        columns = line.split("|", len(slurm.COLUMNS) - 1)
        if len(columns) < len(slurm.COLUMNS):
            raise Unasked(f"squeue did not answer with {len(slurm.COLUMNS)} columns: {line[:80]}")
        job, state, partition, nodes, user, reason, name = (each.strip() for each in columns)
        where = f"{name}, of {user}, in {partition}, nodes: {nodes}"
        why = "" if reason in {"None", ""} else f" ({reason})"
        yield Job(SLURM, job, "", state_of(state), where + why)


def state_of(state: str) -> str:
    """The state of a job of Slurm, as it is called here."""
    return _OF_SLURM.get(state, state.lower())


def _status(plan: VmPlan, run: RunPlan, programs: Programs) -> dict[str, str]:
    """Status of a run, as its nodes say; empty before it has begun. Raises Unasked."""
    words = Gcloud(project=plan.project).words(run.bucket, f"{run.results}/status")
    try:
        text = programs.text(*words)
    except Missing:
        return {}
    return {
        key: value for key, is_pair, value in (each.partition("=") for each in text.splitlines()) if is_pair
    }
