"""`clusterprint image`: the image of a cluster is built by Cloud Build, and remembered."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli.completion import blueprints
from clusterprint.cli.output import say
from clusterprint.cli.report import exit_code, print_report, utf8
from clusterprint.errors import UsageError
from clusterprint.examine import examine

if TYPE_CHECKING:
    from clusterprint.plan.builds import ImagePlan
    from clusterprint.plan.vm_image import NodeImagePlan


@click.command("image")
@click.argument("blueprint", type=click.Path(path_type=Path), shell_complete=blueprints)
@click.option(
    "--submit/--print",
    "submits",
    default=False,
    help="Submit the build and wait for it to finish, or only print it (the default).",
)
@click.option("--build", metavar="ID", help="Wait for a build that was submitted before.")
def image(blueprint: Path, submits: bool, build: str | None) -> None:  # noqa: FBT001 - click passes options
    """Build the image of BLUEPRINT: that of `image_build`, or of its TPU provisioner.

    Prints the Cloud Build job. With --submit, submits it with gcloud, waits, and records the image digest
    in a lock file beside the blueprint. Commit the lock file: the next synth uses it. If the build fails,
    prints its log and exits with code 3.

    For kind vm, prints which images its nodes boot from and how they are built. With --submit, builds those
    that are not there, as an apply would, in the network of the nodes, which has to be there.
    """
    plan, folder = _plan(blueprint)
    if isinstance(plan, tuple):
        _of_machines(plan, submits=submits, build=build)
        return
    from clusterprint.image import job, lock, sbom, submit

    if build is not None:
        made = submit.wait(plan, build, _say)
    elif submits:
        _say(f"building {plan.name}, for at most {plan.timeout_seconds // 60} minutes ...")
        made = submit.submit(plan, folder, _say)
    else:
        say(job.render(plan), nl=False)
        return
    lock.write(made, folder / plan.lock)
    say(made.reference)
    _say(f"recorded in {folder / plan.lock}: commit it with the blueprint")
    if plan.sbom:
        sbom.export(made.reference, plan.project, _say)


def _of_machines(plans: "tuple[NodeImagePlan, ...]", *, submits: bool, build: str | None) -> None:
    """Images of machines need no lock: their names say of what they are made."""
    from clusterprint.image import machines

    if build is not None:
        raise UsageError("--build is for images of containers: --submit takes up a build that was cut off")
    if not submits:
        say(machines.render(plans), nl=False)
        return
    for each in plans:
        machines.build(each, _say)
        say(f"projects/{each.project}/global/images/{each.name}")


def _plan(blueprint: Path) -> "tuple[ImagePlan | tuple[NodeImagePlan, ...], Path]":
    """The build of a blueprint's image, and the blueprint's folder; exits with the diagnostics of errors."""
    examined = examine([blueprint])
    if len(examined.results) > 1:
        raise UsageError(f"{blueprint} holds several blueprints: name one")
    if examined.diagnostics:
        print_report(examined, "text", utf8(sys.stderr))
    code = exit_code(examined, strict=False)
    if code:
        sys.exit(code)
    from clusterprint.resolve.images import resolve_build, resolve_node_images

    [result] = examined.results
    folder = result.document.folder
    found = (
        resolve_node_images(result.blueprint, folder) or resolve_build(result.blueprint, folder)
        if result.blueprint
        else None
    )
    if found is None:
        raise UsageError(
            f"{blueprint} builds no image: give a blueprint of kind ray with `image_build`, of kind vm with "
            "`nodes.image_build`, or of kind gke with `workloads.tpu_provisioner` that names no image"
        )
    return found, folder


def _say(line: str) -> None:
    say(line, err=True)
