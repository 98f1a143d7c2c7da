"""`clusterprint synth`: blueprints become Terraform JSON."""

import sys
from pathlib import Path

import click

from clusterprint.cli.output import say
from clusterprint.cli.report import exit_code, print_report, utf8
from clusterprint.examine import examine


@click.command("synth")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("cdktf.out"),
    show_default=True,
    help="Folder that the Terraform JSON is written to.",
)
@click.option("--strict", is_flag=True, help="Warnings count as problems.")
def synth(paths: tuple[Path, ...], out: Path, strict: bool) -> None:  # noqa: FBT001 - click passes options
    """Make Terraform JSON of blueprints.

    PATHS are blueprints or folders of blueprints, `-` is standard input; the default is blueprints/.
    They are checked first; with problems nothing is written, and what is in the output folder stays as
    it is. The output is the same, byte for byte, as that of `cdktf synth`.
    """
    examined = examine(paths)
    if examined.diagnostics:
        print_report(examined, "text", utf8(sys.stderr))
    code = exit_code(examined, strict=strict)
    if code:
        sys.exit(code)
    from clusterprint.synth import plan_all, synthesize

    for file in synthesize(plan_all(examined.results), out):
        say(file)
