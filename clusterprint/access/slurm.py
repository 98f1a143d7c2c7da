"""Slurm: commands that its controller runs, over SSH, or its login pod in Kubernetes, by kubectl."""

import re
import shlex
from collections.abc import Sequence

from msgspec.structs import replace

from clusterprint.access.command import Command
from clusterprint.access.machines import vm_shell, vmss_shell
from clusterprint.derived import cluster_slurm
from clusterprint.errors import UsageError
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.plan.part import StackPlan
from clusterprint.plan.vm import VmPlan
from clusterprint.plan.vmss import VmssPlan

#: Machines that may have Slurm; those of a scale set with the addresses of their head (`found_at`).
Machines = VmPlan | VmssPlan
#: Whatever may have Slurm.
Anywhere = Machines | GkeWorkloadsPlan

#: Columns of `squeue`; the name comes last, because it may contain the separator.
COLUMNS = ("%i", "%T", "%P", "%D", "%u", "%r", "%j")
QUEUE = ("squeue", "--noheader", "--states=all", f"--format={'|'.join(COLUMNS)}")
#: Columns of `sacct`.
ACCOUNTS = ("JobID", "State", "ExitCode", "Elapsed", "NodeList", "User", "Partition", "JobName")
REMEMBERED = ("scontrol", "--oneliner", "show", "jobs")
#: What a line of the answer to `state` is about. Texts of users come last, as above.
TAGS = ("partition", "reason", "count", "job")
STATE = " && ".join(
    (
        "sinfo --noheader --format='partition|%R|%D|%T'",
        "sinfo --noheader --list-reasons --format='reason|%N|%T|%HZ|%u|%E'",
        "squeue --noheader --array --format='%T' | sort | uniq -c | sed -E 's/^ *([0-9]+) /count|\\1|/'",
        f"squeue --noheader --format='job|{'|'.join(COLUMNS)}'",
    )
)
_JOB = re.compile(r"[0-9]+(_[0-9]+)?")


def has_slurm(plan: StackPlan) -> bool:
    """Whether there is a Slurm that SSH or kubectl reaches."""
    if isinstance(plan, GkeWorkloadsPlan):
        return any(each.key == cluster_slurm.CHART for each in plan.charts)
    if isinstance(plan, VmssPlan):
        return plan.slurm is not None and bool(plan.head.public_ip)
    return isinstance(plan, VmPlan) and any(each.name == "slurm" for each in plan.outputs.more)


def plan_with(plans: Sequence[StackPlan]) -> Anywhere | None:
    """The plan that has Slurm; None if none has."""
    found = next((each for each in plans if has_slurm(each)), None)
    return found if isinstance(found, Anywhere) else None


def keeps_accounts(plan: Anywhere) -> bool:
    """Whether there is a database of its jobs."""
    if isinstance(plan, GkeWorkloadsPlan):
        values = next(each.values for each in plan.charts if each.key == cluster_slurm.CHART)
        return bool(values.get("accounting", {}).get("enabled"))
    return plan.slurm is not None and plan.slurm.accounting


def found_at(plan: VmssPlan, connect: Sequence[str]) -> VmssPlan:
    """The plan with the ways to the machines in the outputs of the stack, which have their addresses."""
    return replace(plan, outputs=replace(plan.outputs, connect=tuple(connect)))


def names_job(plan: StackPlan, part: str) -> bool:
    """Whether the part of a cluster is a job's id (12, or 12_3 of an array), and not a node."""
    groups = plan.groups if isinstance(plan, VmPlan) else ()
    nodes = {node for group in groups for each in group.group.parts for node in each.nodes}
    return has_slurm(plan) and bool(_JOB.fullmatch(part)) and f"{plan.name}-{part}" not in nodes


def state(plan: Anywhere) -> Command:
    """Lists partitions, nodes out of service, and the queue, in one connection; times are in UTC."""
    return _asked(plan, ("env", "TZ=UTC", "timeout", "30", "sh", "-c", STATE))


def queue(plan: Anywhere) -> Command:
    """Lists the jobs that wait or run, and those that ended in the last minutes (MinJobAge)."""
    return _asked(plan, QUEUE)


def ended(plan: Anywhere, seconds: int) -> Command:
    """Lists jobs with their ends: from the accounts of so long, or those that the controller remembers."""
    return _asked(plan, accounts(seconds) if keeps_accounts(plan) else REMEMBERED)


def accounts(seconds: int) -> tuple[str, ...]:
    """Lists the jobs of so long, from the accounts."""
    options = ("--allusers", "--noheader", "--allocations", "--parsable2", f"--format={','.join(ACCOUNTS)}")
    return ("sacct", f"--starttime=now-{seconds}seconds", *options)


def cancel(plan: Anywhere, job: str) -> Command:
    """Ends a job."""
    return _on_controller(plan, ("scancel", job))


def submit(plan: Anywhere, options: Sequence[str], wrap: str | None) -> Command:
    """Submits a command, or the script on standard input, with options of `sbatch`."""
    words = ("sbatch", *options, *(() if wrap is None else ("--wrap", wrap)))
    if isinstance(plan, GkeWorkloadsPlan) and wrap is None:
        return in_login_pod(plan, words, "--stdin")
    return _on_controller(plan, words)


def log(plan: Anywhere, job: str, *, lines: int, follow: bool) -> Command:
    """The output of a job, which the controller has to see: in a home or a volume that it mounts."""
    return _shell(plan, log_script(job, lines=lines, follow=follow))


def log_script(job: str, *, lines: int, follow: bool) -> str:
    """Shell that prints the output file of a job; Slurm knows it until MinJobAge after the job's end."""
    find = f"file=$(scontrol show job {job} | sed -n 's/^ *StdOut=//p' | head -n 1)"
    return f'{find}; [ -n "$file" ] && tail -n {lines} {"-f " if follow else ""}-- "$file"'


def in_login_pod(plan: GkeWorkloadsPlan, words: Sequence[str], *options: str) -> Command:
    """Runs a command in the pod of Slurm that one logs in to."""
    into = ("kubectl", f"--context={plan.reached.context}", f"--namespace={cluster_slurm.NAMESPACE}", "exec")
    return Command((*into, *options, cluster_slurm.LOGIN, "--", *words))


def _on_controller(plan: Anywhere, words: Sequence[str]) -> Command:
    if isinstance(plan, GkeWorkloadsPlan):
        return in_login_pod(plan, words)
    # SSH joins words with spaces, and a shell over there takes them apart again.
    return _shell(plan, shlex.join(words))


def _asked(plan: Anywhere, words: Sequence[str]) -> Command:
    """The same for an answer that nobody waits for: nothing is asked of a person."""
    command = _on_controller(plan, words)
    if command.words[0] != "ssh":
        return command
    return command._replace(words=("ssh", "-o", "BatchMode=yes", *command.words[1:]))


def _shell(plan: Anywhere, remote: str) -> Command:
    if isinstance(plan, GkeWorkloadsPlan):
        return in_login_pod(plan, ("sh", "-c", remote))
    if isinstance(plan, VmPlan):
        return vm_shell(plan, "", (remote,))
    if not plan.head.public_ip:
        raise UsageError("SSH is closed: head_node.public_ip of the blueprint is false")
    if not plan.outputs.connect:
        raise UsageError("the state has no address of the head: clusterprint up writes the outputs anew")
    return vmss_shell(plan, "", plan.outputs.connect, "", (remote,))
