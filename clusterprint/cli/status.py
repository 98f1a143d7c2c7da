"""`clusterprint status`: the state of clusters."""

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from clusterprint.cli import cluster_arguments, lifecycle
from clusterprint.cli.output import FORMAT, say
from clusterprint.cli.report import utf8
from clusterprint.errors import UsageError
from clusterprint.exit_codes import Code
from clusterprint.render.visible import visible
from clusterprint.wishes import counted_words
from clusterprint.words import counted

if TYPE_CHECKING:
    from clusterprint.status.cluster import ClusterStatus
    from clusterprint.status.inside.cluster import Cluster
    from clusterprint.status.inside.walk import Waiting
    from clusterprint.status.machines import Machines, Node, SlurmStatus
    from clusterprint.status.programs import Programs
    from clusterprint.status.states import StackStatus, Step

# More of one sort than this are only counted.
_SHOWN = 10


@click.command("status")
@cluster_arguments.some
@FORMAT
@click.option("--watch", is_flag=True, help="Repeat until Ctrl-C; drift is looked for only once.")
@click.option(
    "--every",
    type=click.IntRange(1, 3600),
    default=15,
    show_default=True,
    metavar="SECONDS",
    help="Pause between two rounds with --watch.",
)
@click.option("--no-nodes", is_flag=True, help="Ask neither nodes nor jobs.")
@click.option("--no-drift", is_flag=True, help="Do not plan: faster, but without drift.")
@click.option(
    "--detailed-exitcode",
    "detailed",
    is_flag=True,
    help="Exit with 4 if something is not as the blueprint says.",
)
@click.option(
    "--why",
    is_flag=False,
    flag_value="",
    metavar="[JOB]",
    help="Say instead why jobs and pods wait: the first cause of each, or of this one, its evidence, and the "
    "line of the blueprint to change. Reads the Kubernetes API only.",
)
@click.option(
    "--conform",
    is_flag=True,
    help="Compare instead what runs with what the blueprint says: versions, nodes, components, queues, "
    "volumes. Exits with 4 if something differs. Reads the Kubernetes API only.",
)
@lifecycle.SIMULATE
def status(  # noqa: PLR0913 - click passes options
    paths: tuple[Path, ...],
    *,
    form: str,
    watch: bool,
    every: int,
    no_drift: bool,
    no_nodes: bool,
    detailed: bool,
    why: str | None,
    conform: bool,
    simulate: Path | None,
) -> None:
    """Show the state of clusters.

    It reports stacks, drift, locks, nodes, jobs, outputs, and the cost so far. CLUSTER is a name, a
    blueprint's file, or a folder of blueprints. Stacks are read from their states, and planned to find drift,
    without a lock. Nodes and jobs are asked through gcloud, kubectl or az. Nothing is changed. Sources that
    did not answer are listed, and the exit code is then 3, unless the known differences make it 4. JSON is
    one object; with --watch, one in each line. In a simulated cloud, each command lets 20 seconds pass there.
    """
    if conform and (why is not None or watch):
        raise UsageError("--conform is used without --why and --watch")
    if why is not None or conform:
        _inside(paths, why, simulate, form=form, detailed=detailed)
    examined = lifecycle.sound(paths)
    from clusterprint.lifecycle.session import session
    from clusterprint.lifecycle.stack import synthesized
    from clusterprint.status.cluster import as_data, status_of
    from clusterprint.status.programs import Programs

    found: list[ClusterStatus] = []
    with synthesized(examined) as stacks, session(stacks, simulate, lifecycle.display(), None) as opened:
        drift = not no_drift
        while True:
            found = status_of(examined.results, stacks, opened, drift=drift, nodes=not no_nodes)
            if form == "json":
                data = {"clusters": [as_data(each) for each in found]}
                say(json.dumps(data, indent=None if watch else 2, ensure_ascii=False))
            else:
                if watch:
                    _new_page()
                say("\n\n".join("\n".join(_text(each)) for each in found), to=utf8(sys.stdout))
            if not watch:
                break
            drift = False
            if simulate is not None:
                Programs(opened.world.environment, simulated=True).text("simulated-time", str(every))
            time.sleep(every)
    if detailed and any(each.differs for each in found):
        sys.exit(Code.CHANGES)
    sys.exit(Code.FAILED if any(each.unknown for each in found) else Code.DONE)


def _inside(
    paths: tuple[Path, ...], job: str | None, simulate: Path | None, *, form: str, detailed: bool
) -> NoReturn:
    """Answers --why, if there is a job (an empty text is all), else --conform."""
    if not paths:
        raise UsageError("name the cluster before the job: clusterprint status CLUSTER --why [JOB]")
    examined = lifecycle.sound(paths)
    from clusterprint.status.inside.cluster import as_data, conform_of, why_of

    with _programs(simulate) as programs:
        found = (
            conform_of(examined.results, programs) if job is None else why_of(examined.results, job, programs)
        )
    if form == "json":
        data = {"clusters": [as_data(each) for each in found]}
        say(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        say("\n\n".join("\n".join(map(visible, _lines(each))) for each in found), to=utf8(sys.stdout))
    if all(each.waiting and each.waiting.nowhere for each in found):
        sys.exit(Code.WRONG_USAGE)
    differs = any(each.differs for each in found)
    if differs and (detailed or job is None):
        sys.exit(Code.CHANGES)
    sys.exit(Code.FAILED if any(each.unknown for each in found) else Code.DONE)


@contextmanager
def _programs(simulate: Path | None) -> "Iterator[Programs]":
    """Kubectl of this machine, or of a simulated cloud."""
    from clusterprint.lifecycle.session import session
    from clusterprint.status.programs import Programs

    if simulate is None:
        yield Programs(os.environ)
        return
    with session((), simulate, lifecycle.display(), None) as opened:
        yield Programs(opened.world.environment, simulated=True)


def _lines(cluster: "Cluster") -> Iterator[str]:
    yield f"{cluster.name} ({cluster.kind}, {cluster.file})"
    if cluster.waiting:
        yield from _causes(cluster.waiting)
    if cluster.conformance:
        found = cluster.conformance
        for each in found.differences:
            yield f"  {each.phase}: {each.object} {each.text}"
            if field := each.field:
                yield f"    blueprint: {field.file}:{field.line}:{field.column}: {field.path}"
        yield f"  {counted(len(found.differences), 'difference')} in {counted(found.compared, 'comparison')}"
    yield from (f"  not known: {each}" for each in cluster.unknown)


def _causes(waiting: "Waiting") -> Iterator[str]:
    for each in waiting.causes:
        where = f"{each.namespace}/" if each.namespace else ""
        yield f"  {each.kind} {where}{each.name}: {each.text}"
        yield f"    evidence: {each.evidence.object}: {each.evidence.message}"
        if field := each.field:
            yield f"    blueprint: {field.file}:{field.line}:{field.column}: {field.path}"
        yield f"    way out: {each.do}"
    if waiting.asked:
        yield f"  {waiting.asked}"
    elif not waiting.causes and not waiting.unknown:
        yield "  nothing waits"


def _new_page() -> None:
    if sys.stdout.isatty():
        click.clear()
    say(datetime.now(UTC).strftime("-- %Y-%m-%d %H:%M:%S UTC"))


def _text(cluster: "ClusterStatus") -> Iterator[str]:
    yield f"{cluster.name} ({cluster.kind}, {cluster.file})"
    for stack in cluster.stacks:
        yield f"  stack {stack.name}: {_in_a_word(stack)}"
        yield from (f"    {line}" for line in _about_stack(stack))
    for each in cluster.wishes:
        since = f", since {visible(each.since)}" if each.since else ""
        wish = visible(counted_words(each.group, each.number))
        yield f"  capacity of {visible(each.group.name)}: wish {wish}{since}"
    if cluster.note:
        yield f"  {cluster.note}"
    if cluster.machines is not None:
        yield f"  nodes: {cluster.machines.ready} of {cluster.machines.wanted} ready"
        yield from (f"    {line}" for line in _about_nodes(cluster.machines))
        if slurm := cluster.machines.slurm:
            yield from (f"  {line}" for line in _about_slurm(slurm))
        jobs = cluster.machines.jobs
        for job in jobs[:_SHOWN]:
            message = f" ({visible(job.message)})" if job.message else ""
            yield f"  {job.kind} {'/'.join(filter(None, (job.namespace, job.name)))}: {job.state}{message}"
        if len(jobs) > _SHOWN:
            yield f"  and {counted(len(jobs) - _SHOWN, 'job')} more: clusterprint jobs list"
    yield from (f"  {line}" for line in _about_cost(cluster))
    for stack in cluster.stacks:
        for name, value in stack.outputs.items():
            yield f"  {visible(name)} ({stack.name}):"
            yield from (f"    {line}" for line in lifecycle.lines_of(value))


def _in_a_word(stack: "StackStatus") -> str:
    if not stack.exists:
        return "state not known" if stack.unknown and not stack.resources else "does not exist"
    moves = stack.moves
    words = [counted(stack.resources, "resource")]
    if stack.half_built:
        words.append("half-built")
    if moves is None:
        words.append("drift not checked")
    elif moves.drifted:
        words.append(f"{len(moves.drifted)} drifted")
    elif stack.as_said:
        words.append("as the blueprint says")
    return ", ".join(words)


def _about_stack(stack: "StackStatus") -> Iterator[str]:
    if stack.at_work:
        yield stack.at_work
    if stack.lock:
        lock = stack.lock
        yield (
            f"locked: {lock.operation or 'an operation'} of {lock.who or 'somebody'}, since "
            f"{lock.created or 'an unknown time'}; if that run has ended, `up` says how to release it"
        )
    yield from (f"broken while it was created: {address}" for address in stack.broken)
    if stack.moves:
        yield from _steps("changed outside of Terraform", stack.moves.drifted)
        if stack.exists:
            yield from _steps("to be done by `up`", stack.moves.pending)
    yield from (f"not known: {each}" for each in stack.unknown)


def _steps(title: str, steps: "Sequence[Step]") -> Iterator[str]:
    for each in steps[:_SHOWN]:
        yield f"{title}: {each.address} ({' and '.join(each.actions)})"
    if len(steps) > _SHOWN:
        yield f"{title}: {len(steps) - _SHOWN} more"


def _about_nodes(machines: "Machines") -> Iterator[str]:
    """Those that are not ready one by one, the others as numbers."""
    groups: dict[str, list[Node]] = {}
    for node in machines.nodes:
        groups.setdefault(node.group, []).append(node)
    for group, nodes in groups.items():
        states: dict[str, int] = {}
        for node in nodes:
            states[node.state] = states.get(node.state, 0) + 1
        yield f"{group}: {', '.join(f'{count} {state}' for state, count in states.items())}"
        told = [each for each in nodes if each.state != "ready" or each.detail]
        for node in told[:_SHOWN]:
            place = f" in {node.place}" if node.place else ""
            yield f"  {node.name}{place}: {node.state}{f', {node.detail}' if node.detail else ''}"
        if len(told) > _SHOWN:
            yield f"  and {len(told) - _SHOWN} more"
    for images in machines.images:
        if images.differ:
            yield f"images differ; the blueprint has {visible(images.wanted)}"
            for image, names in images.running.items():
                more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
                yield f"  {visible(image)}: {', '.join(names[:_SHOWN])}{more}"
            name = "" if images.fixed else "name one image in the blueprint, and "
            yield f"  way out: {name}recreate nodes that have another one, by `update` or by hand"
    yield from (f"not known: {each}" for each in machines.unknown)


def _about_slurm(slurm: "SlurmStatus") -> Iterator[str]:
    if slurm.unknown:
        yield f"Slurm: not known: {slurm.unknown}"
        return
    yield f"Slurm: {counted(slurm.running, 'job')} running, {slurm.waiting} waiting"
    for name, nodes in slurm.partitions.items():
        states = (f"{number} {state.replace('_', ' ')}" for state, number in nodes.items() if number)
        yield f"  {name}: {', '.join(states) or 'no nodes'}"
    for each in slurm.out_of_service:
        yield f"  {each.nodes}: {each.state} since {each.since} by {each.user}: {visible(each.reason)}"


def _about_cost(cluster: "ClusterStatus") -> Iterator[str]:
    cost = cluster.cost
    if cost is None:
        return
    if cost.per_hour is not None:
        yield (
            f"cost: ${cost.so_far:,.2f} since {cost.since} for the nodes that run now, ${cost.per_hour:,.2f} "
            "per hour, at list prices"
        )
    if cost.budget is not None:
        over = ": too much" if cost.per_month > cost.budget else ""
        yield f"budget: ${cost.budget:,.2f} a month; these nodes cost ${cost.per_month:,.2f}{over}"
    if cost.without_price:
        yield f"cost: no list price for {', '.join(cost.without_price)}"
