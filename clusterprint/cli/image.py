"""`clusterprint image`: build the images of a cluster, and record their digests."""

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from clusterprint.cli import cluster_arguments, image_builds
from clusterprint.cli.output import say
from clusterprint.errors import UsageError
from clusterprint.examine import examine
from clusterprint.words import listed

if TYPE_CHECKING:
    from clusterprint.blueprint.blueprint import Blueprint
    from clusterprint.plan.builds import ImagePlan
    from clusterprint.plan.vm_image import NodeImagePlan

P = TypeVar("P")


@click.command("image")
@cluster_arguments.one
@click.option(
    "--submit/--print",
    "submits",
    default=False,
    help="Submit the build and wait for it to finish, or only print it (the default).",
)
@click.option("--name", metavar="NAME", help="Which image, if several are built. Left out: all of them.")
@click.option("--build", metavar="ID", help="Wait for a build that was submitted before.")
def image(blueprint: Path, submits: bool, name: str | None, build: str | None) -> None:  # noqa: FBT001 - click passes options
    """Build the images of a cluster.

    These are those of `image_build` or `image_builds`, and that of its TPU provisioner. CLUSTER is a name or
    a blueprint's file. Prints the Cloud Build job. With --submit, submits it with gcloud, waits, and records
    the image digest in a lock file beside the blueprint. Commit the lock file: the next synth uses it. If the
    build fails, prints its log and exits with code 3.

    For kind vm, prints which images its nodes boot from and how they are built. With --submit, builds those
    that do not exist, as an apply would, in the network of the nodes, which has to exist.
    """
    asked, folder = _examined(blueprint)
    from clusterprint.resolve.images import resolve_images, resolve_node_images

    machines = resolve_node_images(asked, folder)
    if machines:
        _of_machines(_named(name, {each.family: each for each in machines}), submits=submits, build=build)
        return
    plans = _named(name, {each.short_name: each for each in resolve_images(asked, folder)})
    if not plans:
        raise UsageError(
            f"{blueprint} builds no image: give a blueprint of kind ray with `image_build`, of kind vm with "
            "`nodes.image_build`, or of kind gke with `image_builds`, or with a `tpu_provisioner` that "
            "names no image"
        )
    _of_containers(plans, folder, blueprint, submits=submits, build=build)


def _of_containers(
    plans: "dict[str, ImagePlan]", folder: Path, blueprint: Path, *, submits: bool, build: str | None
) -> None:
    if submits and build is None:
        for each in plans.values():
            image_builds.build(each, folder)
        return
    if len(plans) > 1:
        raise UsageError(f"{blueprint} builds several images: add --name with one of {listed(list(plans))}")
    from clusterprint.image import job, submit

    [plan] = plans.values()
    if build is None:
        say(job.render(plan), nl=False)
    else:
        image_builds.record(plan, folder, submit.wait(plan, build, image_builds.say_aside))


def _of_machines(plans: "dict[str, NodeImagePlan]", *, submits: bool, build: str | None) -> None:
    """Images of machines need no lock file: their names are checksums of their inputs."""
    from clusterprint.image import machines

    if build is not None:
        raise UsageError("--build is for images of containers: --submit resumes a build that was interrupted")
    if not submits:
        say(machines.render(plans.values()), nl=False)
        return
    for each in plans.values():
        machines.build(each, image_builds.say_aside)
        say(f"projects/{each.project}/global/images/{each.name}")


def _named(name: str | None, plans: dict[str, P]) -> dict[str, P]:
    if name is None or not plans:
        return plans
    if name not in plans:
        raise UsageError(f"no image is called {name}: there is {listed(list(plans))}")
    return {name: plans[name]}


def _examined(blueprint: Path) -> "tuple[Blueprint, Path]":
    """A blueprint, checked, and its folder; exits with the diagnostics of errors."""
    examined = examine([blueprint])
    if len(examined.results) > 1:
        raise UsageError(f"{blueprint} holds several blueprints: name one")
    [result] = cluster_arguments.insist_on_sound(examined).results
    assert result.blueprint is not None  # noqa: S101 - it is sound
    return result.blueprint, result.document.folder
