"""`clusterprint plan --simulate`: a real Terraform plan against a simulated cloud."""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli.completion import blueprints
from clusterprint.cli.given import given
from clusterprint.cli.output import say
from clusterprint.cli.report import exit_code, print_report, utf8
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.examine import examine
from clusterprint.find import DEFAULT, STDIN

if TYPE_CHECKING:
    from clusterprint_simcloud.plan import Simulation


@click.command("plan")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), shell_complete=blueprints)
@click.option("--simulate", is_flag=True, help="Plan against a simulated cloud, without credentials.")
@click.option(
    "--from",
    "revision",
    callback=given("a git revision such as main"),
    metavar="REV",
    help="Git revision whose blueprints are applied first, so that the plan shows what would change.",
)
def plan(paths: tuple[Path, ...], simulate: bool, revision: str | None) -> None:  # noqa: FBT001 - click passes options
    """Show what Terraform would do, in a simulated cloud.

    PATHS are blueprints or folders of blueprints; the default is blueprints/. This is real Terraform (or
    OpenTofu) from the PATH, with simulated providers and a simulated state bucket; docs/simulated-cloud.md
    describes its limits. Exit code 1 for problems in a blueprint, or if Terraform refuses the plan.
    """
    if not simulate:
        raise UsageError(
            "this command creates simulated plans only: add --simulate; for a plan of the real cloud, run "
            "`cdktf diff`, or `terraform plan` in the folder of a stack"
        )
    named = paths or (DEFAULT,)
    if STDIN in named and revision:
        raise UsageError("what comes from standard input has no earlier version")
    simulate_stacks = _simulator()
    with _synthesized(named, "") as stacks, _earlier(revision, named) as previous:
        outcome = simulate_stacks(stacks, previous)
    say(outcome.text)
    sys.exit(1 if outcome.exit_code == 1 else 0)


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
    examined = examine(paths, root=root)
    if examined.diagnostics:
        print_report(examined, "text", utf8(sys.stderr))
    code = exit_code(examined, strict=False)
    if code:
        say(f"nothing is planned: the blueprints{when} have problems", err=True)
        sys.exit(code)
    from clusterprint.synth import plan_all, synthesize  # loads the engine, once it is needed

    with tempfile.TemporaryDirectory(prefix="clusterprint-") as folder:
        yield [file.parent for file in synthesize(plan_all(examined.results), Path(folder) / "cdktf.out")]


def _simulator() -> "Callable[[list[Path], list[Path]], Simulation]":
    """What plans; before anything else, so that whoever lacks a package waits for nothing."""
    try:
        from clusterprint_simcloud.errors import SimulationError
        from clusterprint_simcloud.plan import simulate  # needs grpc and protobuf
    except ImportError as error:
        raise EnvironmentFailure(
            f"simulated plans need more packages, {error.name} for one: pip install 'clusterprint[simulate]'"
            " (in a checkout: pip install ./simcloud '.[simulate]')"
        ) from error

    def simulated(stacks: list[Path], previous: list[Path]) -> "Simulation":
        try:
            return simulate(stacks, previous)
        except SimulationError as error:
            raise EnvironmentFailure(str(error)) from error

    return simulated
