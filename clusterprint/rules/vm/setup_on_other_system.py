from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint, VmNodes
from clusterprint.derived import node_settings
from clusterprint.diagnostic import Label, Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("VM092", severity=Severity.ERROR, source="clusterprint: what is set up on nodes", firm=True)
def setup_on_other_system(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Something is to be set up on nodes whose operating system does not let it.

    Mounts, copied files, the scratch disk, drivers and Docker are set up by scripts for Linux with packages.
    Container-Optimized OS has none and a system that cannot be written to; Windows is no Linux. There only
    the start-up script runs, as it is.

    Remove what is asked for, or take another image.
    """
    system = node_settings.unsuitable_system(nodes)
    if not system or nodes.image is UNSET:
        return
    for what, place in _asked(nodes, context):
        yield Finding(
            f"{what} cannot be set up on {system}",
            place,
            also=(context.at(nodes.image, "project", text="the image"),),
            help="remove it, or take another image",
        )


def _asked(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[tuple[str, Label]]:
    for bucket in context.blueprint.storage.buckets:
        if given(bucket.mount):
            yield f"the mount of bucket {bucket.name}", context.at(bucket, "mount")
    for part in context.blueprint.files:
        if given(part.destination):
            yield f"a file at {part.destination}", context.at(part, "destination")
    bootstrap = context.blueprint.bootstrap
    if given(bootstrap.ray):
        yield "Ray", context.at_key(bootstrap, "ray")
    if given(context.blueprint.wait):
        yield "a status to wait for", context.at_key(context.blueprint, "wait")
    if context.wrote(nodes, "scratch") and nodes.scratch.enabled:
        yield "a scratch disk", context.at_key(nodes, "scratch")
    if given(nodes.driver):
        yield "a driver", context.at(nodes, "driver")
    if nodes.docker:
        yield "Docker", context.at(nodes, "docker")
