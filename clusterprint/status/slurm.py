"""Slurm on machines, as its controller sees it: partitions, nodes out of service, jobs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from clusterprint.access import slurm
from clusterprint.errors import UsageError
from clusterprint.status.jobs import RUNNING, WAITING, queued, state_of
from clusterprint.status.machines import Job, OutOfService, SlurmStatus
from clusterprint.status.programs import Programs, Unasked

# Seconds; the rest of the status waits for no more than this.
_TIMEOUT = 40
# How nodes of a partition are counted: in those states that are not here as down.
_STATES = {
    **dict.fromkeys(("idle", "planned", "reserved"), "idle"),
    **dict.fromkeys(("allocated", "mixed", "completing"), "allocated"),
    **dict.fromkeys(("drained", "draining"), "drained"),
}
# What Slurm writes after the state of a node.
_SIGNS = {"*": "down", "~": "powered_down", "%": "powered_down", "!": "powered_down", "#": "starting"}
_DOWN = "down"
Jobs = tuple[Job, ...]
_COUNTS = ("idle", "allocated", "starting", "powered_down", "drained", _DOWN)


def ask(
    plan: slurm.Machines, states: Mapping[str, str], programs: Programs
) -> tuple[SlurmStatus | None, Jobs]:
    """Its state and its jobs; None without Slurm. `states` are those of machines in their cloud."""
    if plan.slurm is None:
        return None, ()
    controller = f"its controller, {plan.slurm.controller},"
    if (state := states.get(plan.slurm.controller, "missing")) != "RUNNING":
        return SlurmStatus(unknown=f"{controller} is {state.lower()}"), ()
    return ask_at(plan, controller, programs)


def ask_at(plan: slurm.Anywhere, where: str, programs: Programs) -> tuple[SlurmStatus, Jobs]:
    """The state and the jobs as its commands say there."""
    try:
        return answered(programs._replace(seconds=_TIMEOUT).text(*slurm.state(plan).words))
    except (Unasked, UsageError) as error:
        return SlurmStatus(unknown=f"{where} cannot be asked: {error}"), ()


def answered(text: str) -> tuple[SlurmStatus, Jobs]:
    """The answer of the controller. Raises Unasked if it is none."""
    rows: dict[str, list[str]] = {each: [] for each in slurm.TAGS}
    for line in text.splitlines():
        tag, _, row = line.partition("|")
        rows.get(tag, []).append(row)
    partitions: dict[str, Counter[str]] = {}
    for name, number, state in _cells(rows["partition"], 3):
        partitions.setdefault(name, Counter())[_counted_as(state)] += int(number)
    if not partitions:
        raise Unasked(f"sinfo did not list partitions: {text[:80]}")
    jobs = Counter[str]()
    for number, state in _cells(rows["count"], 2):
        jobs[state_of(state)] += int(number)
    found = SlurmStatus(
        {name: {each: nodes[each] for each in _COUNTS} for name, nodes in partitions.items()},
        tuple(OutOfService(*each) for each in _cells(rows["reason"], len(OutOfService._fields))),
        jobs[RUNNING],
        jobs[WAITING],
    )
    return found, tuple(queued("\n".join(rows["job"])))


def _counted_as(state: str) -> str:
    known = _STATES.get(state.rstrip("*~#!%$@^-+"), _DOWN)
    return known if known in {"drained", _DOWN} else _SIGNS.get(state[-1], known)


def _cells(rows: Sequence[str], number: int) -> Iterator[list[str]]:
    for row in rows:
        cells = [each.strip() for each in row.split("|", number - 1)]
        if len(cells) < number:
            raise Unasked(f"Slurm did not answer with {number} columns: {row[:80]}")
        yield cells
