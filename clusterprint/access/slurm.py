"""Slurm on machines: commands that its controller runs, over SSH."""

import re
import shlex
from collections.abc import Sequence

from msgspec.structs import replace

from clusterprint.access.command import Command
from clusterprint.access.machines import vm_shell, vmss_shell
from clusterprint.errors import UsageError
from clusterprint.plan.part import StackPlan
from clusterprint.plan.vm import VmPlan
from clusterprint.plan.vmss import VmssPlan

#: Machines that may have Slurm; those of a scale set with the addresses of their head (`found_at`).
Machines = VmPlan | VmssPlan

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
    """Whether the machines have a controller of Slurm that SSH reaches."""
    if isinstance(plan, VmssPlan):
        return plan.slurm is not None and bool(plan.head.public_ip)
    return isinstance(plan, VmPlan) and any(each.name == "slurm" for each in plan.outputs.more)


def found_at(plan: VmssPlan, connect: Sequence[str]) -> VmssPlan:
    """The plan with the ways to the machines in the outputs of the stack, which have their addresses."""
    return replace(plan, outputs=replace(plan.outputs, connect=tuple(connect)))


def names_job(plan: StackPlan, part: str) -> bool:
    """Whether the part of a cluster is a job's id (12, or 12_3 of an array), and not a node."""
    groups = plan.groups if isinstance(plan, VmPlan) else ()
    nodes = {node for group in groups for each in group.group.parts for node in each.nodes}
    return has_slurm(plan) and bool(_JOB.fullmatch(part)) and f"{plan.name}-{part}" not in nodes


def state(plan: Machines) -> Command:
    """Lists partitions, nodes out of service, and the queue, in one connection; times are in UTC."""
    return _asked(plan, ("env", "TZ=UTC", "timeout", "30", "sh", "-c", STATE))


def queue(plan: Machines) -> Command:
    """Lists the jobs that wait or run, and those that ended in the last minutes (MinJobAge)."""
    return _asked(plan, QUEUE)


def ended(plan: Machines, seconds: int) -> Command:
    """Lists jobs with their ends: from the accounts of so long, or those that the controller remembers."""
    return _asked(plan, accounts(seconds) if plan.slurm and plan.slurm.accounting else REMEMBERED)


def accounts(seconds: int) -> tuple[str, ...]:
    """Lists the jobs of so long, from the accounts."""
    options = ("--allusers", "--noheader", "--allocations", "--parsable2", f"--format={','.join(ACCOUNTS)}")
    return ("sacct", f"--starttime=now-{seconds}seconds", *options)


def cancel(plan: Machines, job: str) -> Command:
    """Ends a job."""
    return _on_controller(plan, ("scancel", job))


def submit(plan: Machines, options: Sequence[str], wrap: str | None) -> Command:
    """Submits a command, or the script on standard input, with options of `sbatch`."""
    return _on_controller(plan, ("sbatch", *options, *(() if wrap is None else ("--wrap", wrap))))


def log(plan: Machines, job: str, *, lines: int, follow: bool) -> Command:
    """The output of a job, which the controller has to see: in a home or a volume that it mounts."""
    return _shell(plan, log_script(job, lines=lines, follow=follow))


def log_script(job: str, *, lines: int, follow: bool) -> str:
    """Shell that prints the output file of a job; Slurm knows it until MinJobAge after the job's end."""
    find = f"file=$(scontrol show job {job} | sed -n 's/^ *StdOut=//p' | head -n 1)"
    return f'{find}; [ -n "$file" ] && tail -n {lines} {"-f " if follow else ""}-- "$file"'


def _on_controller(plan: Machines, words: Sequence[str]) -> Command:
    # SSH joins words with spaces, and a shell over there takes them apart again.
    return _shell(plan, shlex.join(words))


def _asked(plan: Machines, words: Sequence[str]) -> Command:
    """The same for an answer that nobody waits for: nothing is asked of a person."""
    command = _on_controller(plan, words)
    if command.words[0] != "ssh":
        return command
    return command._replace(words=("ssh", "-o", "BatchMode=yes", *command.words[1:]))


def _shell(plan: Machines, remote: str) -> Command:
    if isinstance(plan, VmPlan):
        return vm_shell(plan, "", (remote,))
    if not plan.head.public_ip:
        raise UsageError("SSH is closed: head_node.public_ip of the blueprint is false")
    if not plan.outputs.connect:
        raise UsageError("the state has no address of the head: clusterprint up writes the outputs anew")
    return vmss_shell(plan, "", plan.outputs.connect, "", (remote,))
