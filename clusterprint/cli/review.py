"""`clusterprint review`: what a change would do to the clusters."""

import sys
from importlib import import_module
from pathlib import Path

import click

from clusterprint.cli.report import utf8
from clusterprint.errors import UsageError

FORMATS = ("json",)


@click.command("review")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--base", metavar="REV|DIR", help="The earlier version: a git revision, or a folder.")
@click.option(
    "--head", metavar="REV|DIR", help="The new version. Left out: the files as they are in the work tree."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="json",
    show_default=True,
    help="Form of the report.",
)
def review(paths: tuple[Path, ...], base: str | None, head: str | None, form: str) -> None:
    """Say what a change would do to the clusters: capacity, cost, risks, and the change itself.

    PATHS are blueprints or folders of blueprints; the default is blueprints/. Exit codes: 0 nothing
    changes, 1 problems in a blueprint, 4 changes, 5 changes that the policy forbids.
    """
    if base is None:
        raise UsageError("name the version to compare with: --base main, or --base and a folder")
    from clusterprint.review.assemble import assemble  # loads the engine, once it is needed
    from clusterprint.review.comparison import compare_sides

    render = import_module(f"clusterprint.review.render.{form}").render

    report = assemble(compare_sides(base, head, paths))
    click.echo(render(report), nl=False, file=utf8(sys.stdout))
    sys.exit(report.verdict.exit_code)
