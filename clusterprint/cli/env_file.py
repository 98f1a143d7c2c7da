"""`clusterprint env-file`: an env file of the cluster provisioning container, as a blueprint."""

import sys
from pathlib import Path
from shlex import quote

import click

from clusterprint.cli.importing import print_findings, read_text, write
from clusterprint.cli.output import say
from clusterprint.words import counted


@click.command("env-file")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Blueprint to write.  [default: NAME_PREFIX.yaml beside the env file]",
)
def env_file(file: Path, out: Path | None) -> None:
    """Write the blueprint that an env file means: one of `docker run --env-file`, of the old container.

    Variables of all its versions are understood. All problems are said at once, each with its line; what a
    blueprint does not carry over is a warning. Nothing is overwritten, and nothing written with an error. The
    last line is the command for the file's ACTION. Exit codes: 0 written, 1 problems in the file.
    """
    from clusterprint.importing.check import check
    from clusterprint.importing.envfile import read, translate
    from clusterprint.importing.envfile.translate import ACTIONS
    from clusterprint.importing.write import text_of

    variables, findings = read(read_text(file))
    translated = translate(variables)
    findings += translated.findings
    target = out or file.parent / f"{translated.data['name']}.yaml"
    losses = [each for each in findings if each.severity == "loss"]
    text = text_of(translated, [file.name], losses)
    if not any(each.severity == "error" for each in findings):
        findings += check(text, target, translated)
    if errors := print_findings(file, sorted(findings), lossy=True):
        say(f"{counted(errors, 'error')}: nothing is written", err=True)
        sys.exit(1)
    write(text, target)
    say(f"wrote {target}")
    say(f"next: {ACTIONS[translated.action or 'plan'].format(file=quote(str(target)))}")
