"""`clusterprint plan --simulate`: a real Terraform plan against a simulated cloud."""

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.non_empty import non_empty
from clusterprint.cli.output import say
from clusterprint.errors import SIMULATION, EnvironmentFailure, UsageError, from_checkout
from clusterprint.examine import examine
from clusterprint.find import DEFAULT, STDIN, NothingFound
from clusterprint.render.visible import visible
from clusterprint.words import counted

if TYPE_CHECKING:
    from clusterprint_simcloud.plan import Simulation


def _takes_no_folder(command: cluster_arguments.Command) -> cluster_arguments.Command:
    """Of all commands with --simulate, this one keeps nothing: a folder after it is taken for blueprints."""

    @wraps(command)
    def explained(**options: object) -> None:
        try:
            command(**options)
        except NothingFound as error:
            raise UsageError(f"{error}. `plan --simulate` keeps nothing, and takes no folder") from error

    return explained


@click.command("plan")
@_takes_no_folder
@cluster_arguments.any_of
@click.option("--simulate", is_flag=True, help="Plan against a simulated cloud, without credentials.")
@click.option(
    "--from",
    "revision",
    callback=non_empty("a git revision such as main"),
    metavar="REV",
    help="Git revision whose blueprints are applied first, so that the plan shows what would change.",
)
@click.option("--brief", is_flag=True, help="One line for each change, instead of Terraform's text.")
def plan(paths: tuple[Path, ...], *, simulate: bool, revision: str | None, brief: bool) -> None:
    """Show Terraform's plan in a simulated cloud.

    CLUSTER is a name, a blueprint's file, or a folder of blueprints; the default is blueprints/. This is real
    Terraform (or OpenTofu) from the PATH, with simulated providers and a simulated state bucket;
    docs/simulated-cloud.md describes its limits. Exit code 1 for problems in a blueprint, or if Terraform
    refuses the plan.
    """
    if not simulate:
        raise UsageError(
            "this command creates simulated plans only: add --simulate. For a plan of the real cloud, run "
            "`clusterprint up --plan-only CLUSTER`"
        )
    cluster_arguments = paths or (DEFAULT,)
    if STDIN in cluster_arguments and revision:
        raise UsageError("what comes from standard input has no earlier version")
    simulate_stacks = _simulator()
    with _synthesized(cluster_arguments, "") as stacks, _earlier(revision, cluster_arguments) as previous:
        outcome = simulate_stacks(stacks, previous)
    say("\n".join(_brief(outcome)) if brief else outcome.text)
    sys.exit(1 if outcome.exit_code == 1 else 0)


# The actions of Terraform's plan, as it writes them; a replacement is told by its two.
_SIGNS = {("create",): "+", ("update",): "~", ("delete",): "-", ("forget",): "."}


def _brief(outcome: "Simulation") -> Iterator[str]:
    """The changes of each stack: action, address, and of an updated resource the arguments."""
    for each in outcome.stacks:
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
    examined = cluster_arguments.insist_on_sound(
        examine(paths, root=root), f"nothing is planned: the blueprints{when} have problems"
    )
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
