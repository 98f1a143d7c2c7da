"""`clusterprint draw`: a picture of a cluster."""

import sys
from pathlib import Path

import click

from clusterprint.cli.completion import blueprints
from clusterprint.cli.output import say
from clusterprint.cli.report import exit_code, print_report, utf8
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.examine import examine
from clusterprint.files.aside import write as write_aside
from clusterprint.find import STDIN


@click.command("draw")
@click.argument("blueprint", type=click.Path(path_type=Path), shell_complete=blueprints)
@click.option(
    "-o",
    "--out",
    metavar="FILE.svg",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write. Left out: standard output.",
)
def draw(blueprint: Path, out: Path | None) -> None:
    """Draw a cluster as it is resolved: its networks, pools, volumes, queues and jobs.

    BLUEPRINT is a file. The picture is one SVG, which also shows who reaches what, readable on light and
    dark screens, with the same in words for those who cannot see it; the same blueprint always gives the
    same bytes. It is read off what synth builds, as the picture of a review is. With mistakes in the
    blueprint they are printed instead, and exit code is 1.
    """
    if blueprint == STDIN or blueprint.is_dir():
        raise UsageError(f"{blueprint} is not a file: name one blueprint")
    examined = examine([blueprint])
    if examined.diagnostics:
        print_report(examined, "text", utf8(sys.stderr))
    code = exit_code(examined, strict=False)
    if code:
        say("nothing is drawn: the blueprint has problems", err=True)
        sys.exit(code)
    from clusterprint.review.diagram import diagram  # loads the engine, once it is needed
    from clusterprint.review.render.html.drawing import drawing
    from clusterprint.review.scenes import standing
    from clusterprint.review.sides import member_of

    scene = standing(member_of(examined.results[0]))
    text = drawing(f"{scene.name}: cluster of kind {scene.kind}", diagram(scene))
    if out is None:
        say(text.rstrip("\n"))
        return
    try:
        write_aside(text.encode(), out)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write {out}: {error.strerror}") from error
    say(f"wrote {out}")
