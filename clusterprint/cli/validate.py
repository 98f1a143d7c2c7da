"""`clusterprint validate`: check blueprints completely, without touching a cloud."""

import sys
from pathlib import Path

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.report import FORMAT, exit_code, print_report, utf8
from clusterprint.examine import examine


@click.command("validate")
@cluster_arguments.any_of
@FORMAT
@click.option("--strict", is_flag=True, help="Treat warnings as problems.")
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of blueprints to check in parallel, at most.",
)
def validate(paths: tuple[Path, ...], form: str, strict: bool, jobs: int) -> None:  # noqa: FBT001 - click passes options
    """Check blueprints completely, without a cloud.

    CLUSTER is a name, a blueprint's file, or a folder of blueprints, or `-` for standard input; the
    default is blueprints/.
    Blueprints that are checked together are also compared with each other. All problems are reported at
    once. Exit code 1 if there is a problem.
    """
    examined = examine(paths, jobs)
    print_report(examined, form, utf8(sys.stdout))
    sys.exit(exit_code(examined, strict=strict))
