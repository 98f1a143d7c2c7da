from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.machines import Image
from clusterprint.blueprint.vm import VmBlueprint, VmNodes
from clusterprint.derived import node_containers, node_settings
from clusterprint.diagnostic import Label, Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("VM092", severity=Severity.ERROR, source="clusterprint: what is set up on nodes", firm=True)
def setup_on_other_system(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Something is to be set up on nodes whose operating system does not let it.

    Mounts, copied files, the scratch disk, drivers and Docker are set up by scripts for Linux. Windows is
    none: there only the start-up script runs, as it is. Container-Optimized OS takes no packages, so that
    Cloud Storage FUSE cannot be installed, which mounts buckets; a container that has it can.

    Remove what is asked for, or take another image.
    """
    if nodes.image is UNSET:
        return
    windows = node_settings.unsuitable_system(nodes)
    if windows:
        for what, place in _asked(nodes, context):
            yield _finding(what, windows, place, nodes.image, context)
    elif node_settings.system(nodes) == "cos":
        for what, place in _mounts(context):
            yield _finding(what, "Container-Optimized OS", place, nodes.image, context)


def _finding(what: str, system: str, place: Label, image: Image, context: Context[VmBlueprint]) -> Finding:
    return Finding(
        f"{what} cannot be set up on {system}",
        place,
        also=(context.at(image, "project", text="the image"),),
        help="remove it, or take another image",
    )


def _asked(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[tuple[str, Label]]:
    yield from _mounts(context)
    for part in context.blueprint.files:
        if given(part.destination):
            yield f"a file at {part.destination}", context.at(part, "destination")
    if context.wrote(nodes, "scratch") and nodes.scratch.enabled:
        yield "a scratch disk", context.at_key(nodes, "scratch")
    if given(nodes.driver):
        yield "a driver", context.at(nodes, "driver")
    if nodes.docker:
        yield "Docker", context.at(nodes, "docker")
    container = node_containers.container_of(context.blueprint, nodes)
    if given(container):
        yield "a container", context.at(container, "image")


def _mounts(context: Context[VmBlueprint]) -> Iterator[tuple[str, Label]]:
    for bucket in context.blueprint.storage.buckets:
        if given(bucket.mount):
            yield f"the mount of bucket {bucket.name}", context.at(bucket, "mount")
