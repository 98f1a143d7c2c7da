"""`clusterprint submit`: work for a cluster that stands."""

import sys
from pathlib import Path

import click

from clusterprint.cli import reaching
from clusterprint.cli.dashboard import PORT
from clusterprint.cli.output import say
from clusterprint.errors import UsageError


@click.command("submit")
@reaching.TARGET
@click.argument("program", nargs=-1, metavar="[-- PROGRAM...]")
@click.option("--file", metavar="FILE", help="Kind gke: objects to create, such as an MPIJob or a JobSet.")
@click.option(
    "--working-dir",
    "folder",
    default="",
    metavar="DIR",
    help="Kind ray: a folder that goes with the program.",
)
@PORT
@reaching.AMONG
@reaching.PRINT
def submit(  # noqa: PLR0913 - click passes options
    target: str,
    program: tuple[str, ...],
    *,
    file: str | None,
    folder: str,
    port: int | None,
    among: tuple[Path, ...],
    prints: bool,
) -> None:
    """Submit work: a program to Ray, or a job of a file to Kubernetes.

    NAME is a cluster among the blueprints, or a blueprint's file. For kind ray it is `ray job submit` through
    a port-forward that lasts as long; it follows the log, and exits as the job does. For kind gke it is
    kubectl create: give each run a name of its own, or generateName.
    """
    reached = reaching.Reached(target, among)
    from clusterprint.access import inside
    from clusterprint.plan.ray.ray import RayPlan

    of = inside.inside(reached.plans)
    if isinstance(of.content, RayPlan):
        if file or not program:
            raise UsageError("give Ray a program: clusterprint submit NAME -- python train.py")
        forward = inside.dashboard(of, port or 0)
        command = inside.ray_submit(forward.url, folder, program)
        if prints:
            say(f"{forward.text}\n{command.text}")
            return
        sys.exit(reaching.through(forward, command))
    if not file or program or folder:
        raise UsageError("give Kubernetes a file: clusterprint submit NAME --file JOB.yaml")
    reaching.go(inside.apply(of, file), prints=prints)
