"""`clusterprint env-file`: an env file of the cluster provisioning container as a blueprint; its ACTION."""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli import living
from clusterprint.cli.importing import print_findings, read_text
from clusterprint.cli.new_file import write
from clusterprint.cli.output import say
from clusterprint.errors import UsageError
from clusterprint.words import counted

if TYPE_CHECKING:
    from clusterprint.importing import Finding
    from clusterprint.importing.envfile import Variable
    from clusterprint.importing.work import Translated

_ENVIRONMENT = "environment"
# Commands that ask before they change something.
_ASKING = frozenset({"up", "down"})


@click.command("env-file")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option(
    "--environment",
    is_flag=True,
    help="Read the variables from the environment, where `docker run --env-file` puts them, and no FILE.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Blueprint to write.  [default: NAME_PREFIX.yaml beside the env file]",
)
@click.option("--run", "runs", is_flag=True, help="Run the command for ACTION, too.")
@living.YES
@living.SIMULATE
def env_file(  # noqa: PLR0913 - click passes options
    file: Path | None,
    *,
    environment: bool,
    out: Path | None,
    runs: bool,
    yes: bool,
    simulate: Path | None,
) -> None:
    """Write the blueprint that an env file means: one of `docker run --env-file`, of the old container.

    Variables of all its versions are understood. All problems are reported at once, each with its line; what
    a blueprint does not carry over is a warning. Nothing is overwritten, and nothing written with an error.
    The last line is the command for the file's ACTION; with --run it runs: `up` for create (with --ephemeral
    where CLEANUP_ON_EXIT says so), `down` for destroy. Exit codes: 0 written, 1 problems in the file; with
    --run that of the command.
    """
    if (file is None) is not environment:
        raise UsageError("give an env file, or --environment for the variables of this command itself")
    if (yes or simulate) and not runs:
        raise UsageError("--yes and --simulate need --run, which was not given")
    from clusterprint.importing import Finding
    from clusterprint.importing.envfile import command_of, translate

    variables, findings = _variables(file)
    translated = translate(variables)
    findings += translated.findings
    if runs and "ACTION" not in variables:
        findings.append(Finding(0, "error", "ACTION is missing", "add ACTION=..."))
    target = out or (file.parent if file else Path()) / f"{translated.data['name']}.yaml"
    text = _checked(file or Path(_ENVIRONMENT), translated, findings, target)
    if not (runs and _is_there(text, target)):
        write(text, target)
        say(f"wrote {target}")
    words = [*command_of(translated.action or "plan", variables), str(target)]
    if not runs:
        say(f"next: clusterprint {shlex.join(words)}")
        return
    _run(words, yes=yes, simulate=simulate)


def _variables(file: Path | None) -> "tuple[dict[str, Variable], list[Finding]]":
    from clusterprint.importing.envfile import read, read_environment

    return read(read_text(file)) if file else read_environment(os.environ)


def _checked(source: Path, translated: "Translated", findings: "list[Finding]", target: Path) -> str:
    """The text of the blueprint. Says everything, and exits if there is an error in it."""
    from clusterprint.importing.check import check
    from clusterprint.importing.write import text_of

    losses = [each for each in findings if each.severity == "loss"]
    text = text_of(translated, [source.name], losses)
    found = check(text, target, translated)
    if any(each.severity == "error" for each in findings):
        # What an error has left out of the blueprint is no second one: that has no line, or the same.
        said = {(0, ""), *((each.line, each.file) for each in findings)}
        found = [each for each in found if (each.line, each.file) not in said]
    findings = [*findings, *found]
    if errors := print_findings(source, sorted(findings), lossy=True):
        say(f"{counted(errors, 'error')}: nothing is written", err=True)
        sys.exit(1)
    return text


def _is_there(text: str, target: Path) -> bool:
    """Whether this very blueprint is there already, as after an earlier run."""
    if not target.is_file() or read_text(target) != text:
        return False
    say(f"{target} exists already, with the same content")
    return True


def _run(words: Sequence[str], *, yes: bool, simulate: Path | None) -> None:
    from clusterprint.cli import group  # which knows this module

    given = [*words]
    if words[0] in _ASKING:
        given += ["--yes"] if yes else []
        given += ["--simulate", str(simulate)] if simulate else []
    say(f"$ clusterprint {shlex.join(given)}", err=True)
    group.main(given, prog_name="clusterprint", standalone_mode=False)
