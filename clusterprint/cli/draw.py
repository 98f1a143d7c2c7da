"""`clusterprint draw`: a picture of a cluster.

It is the diagram of a review that compares the blueprint with itself, so there is only one implementation of
diagrams.
"""

from pathlib import Path

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import out_option, say
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.files.atomic import write as write_aside
from clusterprint.find import STDIN


@click.command("draw")
@cluster_arguments.one
@out_option("File to write. Left out: standard output.", metavar="FILE.svg")
def draw(blueprint: Path, out: Path | None) -> None:
    """Draw a cluster.

    The picture has its networks, pools, volumes, queues and jobs. CLUSTER is a name or a blueprint's file.
    The picture is one SVG, which also shows who reaches what, readable on light and dark screens, with the
    same in words for those who cannot see it; the same blueprint always gives the same bytes. It is drawn
    from the synthesized Terraform, like the pictures of a review. If the blueprint has errors, those are
    printed instead, and the exit code is 1.
    """
    if blueprint == STDIN or blueprint.is_dir():
        raise UsageError(f"{blueprint} is not a file: name one blueprint")
    examined = cluster_arguments.sound([blueprint], "nothing is drawn: the blueprint has problems")
    from clusterprint.review.compare_sides import standing
    from clusterprint.review.diagram import diagram  # loads the engine, once it is needed
    from clusterprint.review.render.html.drawing import drawing
    from clusterprint.review.side import member_of

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
