"""`clusterprint import`: another tool's files become a blueprint."""

import sys
from pathlib import Path
from shlex import quote

import click

from clusterprint.cli.import_files import print_findings, read_text
from clusterprint.cli.new_file import write
from clusterprint.cli.output import out_option, say
from clusterprint.errors import UsageError
from clusterprint.importing.formats import FORMATS
from clusterprint.words import counted


@click.command("import")
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path, dir_okay=False)
)
@click.option("--from", "origin", type=click.Choice(FORMATS), help="Format of the files. [default: detected]")
@click.option("--var", "given", multiple=True, metavar="NAME=VALUE", help="Set a variable of the files.")
@click.option("--lossy", is_flag=True, help="Leave out settings that have no equivalent.")
@out_option("Blueprint to write.  [default: NAME.yaml beside the first file]")
def import_(
    files: tuple[Path, ...], origin: str | None, given: tuple[str, ...], *, lossy: bool, out: Path | None
) -> None:
    """Convert another tool's files to a blueprint.

    It reads a blueprint of Cluster Toolkit with its deployment file, env files and tfvars of the
    cluster provisioning container, tfvars of the Terraform MPI clusters, variables of the Azure scale set
    scripts, an XPK command line, a SkyPilot task and a cluster file of `ray up`. Decisions are recorded in
    comments of the blueprint. Every input without a counterpart is an error with its line; with --lossy it is
    a warning, and a comment. Nothing is overwritten, and nothing written with an error. Exit codes: 0
    written, 1 problems in the files.
    """
    from clusterprint.importing.check import check
    from clusterprint.importing.formats import Text, translate
    from clusterprint.importing.write import text_of

    texts = [Text(str(file), read_text(file)) for file in files]
    translated = translate(texts, origin, _pairs(given))
    findings = list(translated.findings)
    target = out or files[0].parent / f"{translated.data['name'] or 'blueprint'}.yaml"
    losses = [each for each in findings if each.severity == "loss"]
    text = text_of(translated, [file.name for file in files], losses)
    if not any(each.severity == "error" for each in findings):
        findings += check(text, target, translated)
    if errors := print_findings(files[0], findings, lossy=lossy):
        say(f"{counted(errors, 'error')}: nothing is written", err=True)
        if losses and not lossy and errors == len(losses):
            say("all of them have no counterpart; --lossy leaves them out", err=True)
        sys.exit(1)
    write(text, target)
    say(f"wrote {target}")
    say(f"next: clusterprint show {quote(str(target))}")


def _pairs(given: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not (name and sign):
            raise UsageError(f"--var {each} is not NAME=VALUE")
        pairs[name] = value
    return pairs
