"""`clusterprint plan`: the plan of Terraform, against the real clouds or a simulated one; applies nothing."""

import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from clusterprint.cli import cluster_arguments, lifecycle
from clusterprint.cli.non_empty import non_empty
from clusterprint.cli.output import say
from clusterprint.errors import SIMULATION, EnvironmentFailure, UsageError, from_checkout
from clusterprint.examine import examine
from clusterprint.exit_codes import Code
from clusterprint.find import DEFAULT, STDIN, NothingFound
from clusterprint.render.visible import visible
from clusterprint.words import counted, listed

if TYPE_CHECKING:
    from clusterprint.lifecycle.terraform import Terraform
    from clusterprint_simcloud.plan import Simulation, StackPlan


def _knows_folders(command: cluster_arguments.Command) -> cluster_arguments.Command:
    """The same, where --simulate stands before a folder that is no simulated cloud yet."""

    @wraps(command)
    def explained(**options: object) -> None:
        try:
            command(**options)
        except NothingFound as error:
            if not options["simulate"]:
                raise
            raise UsageError(
                f"{error}. The folder of a simulated cloud is one that `up --simulate DIR` has made; without "
                "one, the simulated cloud is empty"
            ) from error

    return explained


@click.command("plan")
@_knows_folders
@cluster_arguments.any_of
@click.option(
    "--simulate",
    is_flag=True,
    help="Plan against a simulated cloud, without credentials: against that of `up --simulate DIR` if DIR is "
    "among the arguments, else against an empty one.",
)
@click.option(
    "--from",
    "revision",
    callback=non_empty("a git revision such as main"),
    metavar="REV",
    help="With --simulate: git revision whose blueprints are applied first, so that the plan shows what "
    "would change.",
)
@click.option("--brief", is_flag=True, help="One line for each change, instead of Terraform's text.")
@click.option("--read-only", is_flag=True, help="Lock nothing and read no cluster, for read-only accounts.")
@click.option("--detailed-exitcode", "detailed", is_flag=True, help="Exit with 4 if something would change.")
def plan(  # noqa: PLR0913 - click passes options
    paths: tuple[Path, ...],
    *,
    simulate: bool,
    revision: str | None,
    brief: bool,
    read_only: bool,
    detailed: bool,
) -> None:
    """Show Terraform's plan, and change nothing.

    CLUSTER is a name, a blueprint's file, or a folder of blueprints; the default is blueprints/. This is real
    Terraform (or OpenTofu) from the PATH, with your account and the state in its bucket; a stack that depends
    on one that does not exist is planned once that exists. With --simulate, providers and state bucket are
    simulated; docs/simulated-cloud.md describes the limits. Exit codes: 0 planned, 1 problems in a blueprint
    or, with --simulate, a plan that Terraform refuses; 3 Terraform or a cloud failed.
    """
    clouds = [each for each in paths if simulate and (each / lifecycle.CLOUD).is_file()]
    clusters = tuple(each for each in paths if each not in clouds) or (DEFAULT,)
    if len(clouds) > 1:
        raise UsageError(
            f"one simulated cloud at a time, not {listed([str(each) for each in clouds], 'and')}"
        )
    lasting = bool(clouds) or not simulate
    if revision and lasting:
        raise UsageError(
            "--from compares with an earlier version in an empty simulated cloud: add --simulate, without a "
            "folder. Otherwise the plan is from what exists"
        )
    if read_only and not lasting:
        raise UsageError("--read-only is for a cloud that others use: an empty simulated cloud has no lock")
    if STDIN in clusters and revision:
        raise UsageError("what comes from standard input has no earlier version")
    if lasting:
        code, changed = _plan(clusters, *clouds, brief=brief, read_only=read_only)
    else:
        code, changed = _simulated(clusters, revision, brief=brief)
    sys.exit(Code.CHANGES if detailed and changed and code is Code.DONE else code)


class _Plan(NamedTuple):
    """The plan of one stack: Terraform's text or, for --brief, its data."""

    name: str
    text: str
    document: Mapping[str, Any]


def _plan(
    clusters: Sequence[Path], cloud: Path | None = None, *, brief: bool, read_only: bool
) -> tuple[Code, bool]:
    """Plan what exists; the exit code, and whether something would change."""
    lifecycle.insist_on_posix()
    from clusterprint.lifecycle.read_only import read_only as only_reading
    from clusterprint.lifecycle.session import session
    from clusterprint.lifecycle.stack import synthesized
    from clusterprint.lifecycle.up import Consent, up  # loads the engine
    from clusterprint.wishes import lock

    plans: dict[str, _Plan] = {}

    def look(terraform: "Terraform") -> None:
        name = terraform.place.stack.name
        plans[name] = (
            _Plan(name, "", terraform.planned()) if brief else _Plan(name, terraform.plan_text(), {})
        )

    if cloud is not None:
        click.get_current_context().with_resource(lock.simulated(cloud))
    examined = cluster_arguments.sound(clusters, _NOTHING.format(""))
    display = lifecycle.display()
    with synthesized(examined) as stacks, session(stacks, cloud, display, None) as opened:
        if opened.world.simulated:
            display.line(lifecycle.SIMULATED)
        if read_only:
            opened.world = only_reading(stacks, opened.world)
        ended = up(stacks, opened, Consent(lambda _: None, lambda _: False, look=look), plan_only=True)
    found = [plans[each.name] for each in stacks if each.name in plans]
    texts = _brief(found) if brief else (f"Stack {each.name}\n\n{each.text}\n" for each in found)
    if found:
        say("\n".join(texts))
    lifecycle.tell_broken(ended.broken, ended.left_out, "")
    if ended.left_out and not ended.broken:
        say(f"planned once those above exist: {', '.join(ended.left_out)}")
    return (Code.FAILED if ended.broken else Code.DONE), ended.code is Code.CHANGES


def _simulated(clusters: Sequence[Path], revision: str | None, *, brief: bool) -> tuple[Code, bool]:
    """The same from nothing, or from an earlier version, in a simulated cloud that is not kept."""
    simulate_stacks = _simulator()
    with _synthesized(clusters, "") as stacks, _earlier(revision, clusters) as previous:
        outcome = simulate_stacks(stacks, previous)
    say("\n".join(_brief(outcome.stacks)) if brief else outcome.text)
    return (Code.PROBLEMS if outcome.exit_code == 1 else Code.DONE), outcome.exit_code != 0


_NOTHING = "nothing is planned: the blueprints{} have problems"
# The actions of Terraform's plan, as it writes them; a replacement is told by its two.
_SIGNS = {("create",): "+", ("update",): "~", ("delete",): "-", ("forget",): "."}


def _brief(plans: "Iterable[_Plan | StackPlan]") -> Iterator[str]:
    """The changes of each stack: action, address, and of an updated resource the arguments."""
    for each in plans:
        if not each.document:  # Terraform has refused it
            yield f"{each.name}: failed\n\n{each.text.strip()}"
            continue
        lines = [line for change in each.document.get("resource_changes", ()) if (line := _line(change))]
        yield f"{each.name}: {counted(len(lines), 'change')}"
        yield from lines


def _line(change: Mapping[str, Any]) -> str:
    """One change in a line; empty for a resource that stays."""
    what = change["change"]
    actions = tuple(what["actions"])
    if actions in (("no-op",), ("read",)):
        return ""
    sign = _SIGNS.get(actions) or "/".join(_SIGNS.get((action,), action) for action in actions)
    before, after, unknown = (what.get(each) or {} for each in ("before", "after", "after_unknown"))
    names = sorted({*before, *after, *unknown}) if actions == ("update",) else ()
    changed = [each for each in names if unknown.get(each) is True or before.get(each) != after.get(each)]
    forced = sorted({str(path[0]) for path in what.get("replace_paths") or () if path})
    why = f"forced by {', '.join(forced)}" if forced else ", ".join(changed)
    return visible(f"  {sign} {change['address']}{f' ({why})' if why else ''}")


@contextmanager
def _earlier(revision: str | None, paths: Sequence[Path]) -> Iterator[list[Path]]:
    """The stacks of an earlier version, none without a revision."""
    if revision is None:
        yield []
        return
    from clusterprint.revision import at_revision  # only with --from

    with at_revision(revision, paths) as before:
        if not before.paths:
            yield []
            return
        with _synthesized(before.paths, f" at {revision}", before.folder) as stacks:
            yield stacks


@contextmanager
def _synthesized(paths: Sequence[Path], when: str, root: Path | None = None) -> Iterator[list[Path]]:
    """The folders of the stacks of blueprints, for a while; exits with the diagnostics of errors."""
    examined = cluster_arguments.insist_on_sound(examine(paths, root=root), _NOTHING.format(when))
    from clusterprint.synth import plan_all, synthesize  # loads the engine, once it is needed

    with tempfile.TemporaryDirectory(prefix="clusterprint-") as folder:
        yield [file.parent for file in synthesize(plan_all(examined.results), Path(folder) / "cdktf.out")]


def _simulator() -> "Callable[[list[Path], list[Path]], Simulation]":
    """The planner; first of all, so that users without its packages need not wait."""
    try:
        from clusterprint_simcloud.errors import SimulationError
        from clusterprint_simcloud.plan import simulate  # needs grpc and protobuf
    except ImportError as error:
        raise EnvironmentFailure(
            f"simulated plans need more packages, {error.name} for one; {from_checkout(*SIMULATION)}"
        ) from error

    def simulated(stacks: list[Path], previous: list[Path]) -> "Simulation":
        try:
            return simulate(stacks, previous)
        except SimulationError as error:
            raise EnvironmentFailure(str(error)) from error

    return simulated
