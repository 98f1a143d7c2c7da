"""`clusterprint bundle`: what a maintainer needs to find a fault."""

import sys
from pathlib import Path

import click

from clusterprint.cli import cluster_arguments, lifecycle
from clusterprint.cli.output import out_option, say
from clusterprint.errors import ClusterprintError, EnvironmentFailure, UsageError
from clusterprint.examine import Examined
from clusterprint.exit_codes import Code


@click.command("bundle")
@cluster_arguments.one
@out_option("File to write it to.", default=Path("clusterprint-bundle.tar.gz"))
@click.option(
    "--running",
    is_flag=True,
    help="Ask the running cluster, too: events, and the newest logs of its pods or nodes.",
)
@lifecycle.YES
@lifecycle.SIMULATE
@lifecycle.LOG_DIR
def bundle(  # noqa: PLR0913 - click passes options
    blueprint: Path, out: Path, *, running: bool, yes: bool, simulate: Path | None, logs: Path | None
) -> None:
    """Pack the facts about a fault.

    A maintainer gets versions, the blueprint, its stacks, the shape of the states without any value,
    Terraform's logs and the errors in them. Secrets are masked; project, names and addresses are
    replaced, and comment lines are left out. The files are listed before anything is written. `clusterprint
    prove --replay BUNDLE` runs it in a simulated cloud. Exit code 6 if it is not confirmed.
    """
    examined = lifecycle.sound([blueprint])
    from clusterprint.files import atomic
    from clusterprint.lifecycle.session import session
    from clusterprint.lifecycle.stack import synthesized
    from clusterprint.proof.bundle import contents, logs_of, packed

    with synthesized(examined) as stacks:
        texts = logs_of(stacks, simulate, logs)
        with session(stacks, simulate, lifecycle.display(), None) as opened:
            files = contents(examined, stacks, opened, texts, _running(examined, simulate) if running else ())
    for name, text in files.items():
        say(f"{name}: {len(text.encode()):,} bytes")
    if not lifecycle.agreed(f"Write these files to {out}?", yes=yes):
        say("refused: nothing was written", err=True)
        sys.exit(Code.REFUSED)
    if out.exists():
        raise UsageError(f"{out} exists already, and nothing is overwritten: name another with --out")
    try:
        atomic.write(packed(files), out)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write {out}: {error.strerror}") from error
    say(f"{out}: look through it before you send it (tar -xzf {out})")


def _running(examined: Examined, simulate: Path | None) -> list[tuple[str, str]]:
    """The answers of the running cluster, by file."""
    from clusterprint.cli import cluster_access
    from clusterprint.cli.azure_outputs import connect
    from clusterprint.plan.vmss import VmssPlan
    from clusterprint.proof.running import answers
    from clusterprint.status.programs import Programs

    plans = cluster_access.plans_of(examined)
    first = plans[0]
    try:
        ways = connect(examined, first, simulate) if isinstance(first, VmssPlan) else []
    except ClusterprintError as error:
        return [("", f"the running cluster: {error}")]
    with cluster_access.programs(simulate) as environment:
        return list(answers(plans, Programs(environment, simulate is not None), ways))
