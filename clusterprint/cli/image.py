"""`clusterprint image`: the images of a cluster are built by Cloud Build, and remembered."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli import building
from clusterprint.cli.completion import blueprints
from clusterprint.cli.output import say
from clusterprint.cli.report import exit_code, print_report, utf8
from clusterprint.errors import UsageError
from clusterprint.examine import examine
from clusterprint.words import listed

if TYPE_CHECKING:
    from clusterprint.plan.builds import ImagePlan


@click.command("image")
@click.argument("blueprint", type=click.Path(path_type=Path), shell_complete=blueprints)
@click.option(
    "--submit/--print",
    "submits",
    default=False,
    help="Submit the build and wait for it to finish, or only print it (the default).",
)
@click.option("--name", metavar="NAME", help="Which image, if several are built. Left out: all of them.")
@click.option("--build", metavar="ID", help="Wait for a build that was submitted before.")
def image(blueprint: Path, submits: bool, name: str | None, build: str | None) -> None:  # noqa: FBT001 - click passes options
    """Build the images of BLUEPRINT: those of `image_build` or `image_builds`, and of its TPU provisioner.

    Prints the Cloud Build job. With --submit, submits it with gcloud, waits, and records the image digest
    in a lock file beside the blueprint. Commit the lock file: the next synth uses it. If the build fails,
    prints its log and exits with code 3.
    """
    plans, folder = _plans(blueprint)
    from clusterprint.image import job, submit

    if name is not None:
        plans = _named(name, plans)
    if submits and build is None:
        for each in plans:
            building.build(each, folder)
        return
    if len(plans) > 1:
        raise UsageError(f"{blueprint} builds several images: add --name with one of {_names(plans)}")
    [plan] = plans
    if build is None:
        say(job.render(plan), nl=False)
    else:
        building.record(plan, folder, submit.wait(plan, build, building.say_aside))


def _named(name: str, plans: "tuple[ImagePlan, ...]") -> "tuple[ImagePlan, ...]":
    found = tuple(each for each in plans if each.short_name == name)
    if not found:
        raise UsageError(f"no image is called {name}: there is {_names(plans)}")
    return found


def _names(plans: "tuple[ImagePlan, ...]") -> str:
    return listed([each.short_name for each in plans])


def _plans(blueprint: Path) -> "tuple[tuple[ImagePlan, ...], Path]":
    """The builds of a blueprint's images, and its folder; exits with the diagnostics of errors."""
    examined = examine([blueprint])
    if len(examined.results) > 1:
        raise UsageError(f"{blueprint} holds several blueprints: name one")
    if examined.diagnostics:
        print_report(examined, "text", utf8(sys.stderr))
    code = exit_code(examined, strict=False)
    if code:
        sys.exit(code)
    from clusterprint.resolve.images import resolve_images

    [result] = examined.results
    found = resolve_images(result.blueprint, result.document.folder) if result.blueprint else ()
    if not found:
        raise UsageError(
            f"{blueprint} builds no image: give a blueprint of kind ray with `image_build`, or of kind gke "
            "with `image_builds`, or with `workloads.tpu_provisioner` that names no image"
        )
    return found, result.document.folder
