from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import node_containers, node_groups, volumes
from clusterprint.rules import _metadata
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM088", severity=Severity.ERROR, firm=True)
def setup_too_large(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    size = max((_metadata.setup_size(blueprint, group) for group in _metadata.set_up(blueprint)), default=0)
    if size > _metadata.LARGEST_VALUE:
        mounts = sum(1 for _ in volumes.bucket_mounts(blueprint.storage))
        allowed = f"take more than the {_metadata.LARGEST_VALUE:,} bytes that are allowed"
        if mounts:
            yield Finding(
                f"the setup scripts of the nodes and their {mounts:,} mounts {allowed}",
                context.at_key(blueprint.storage, "volumes"),
                help="mount fewer buckets, or one bucket with several folders in it",
            )
        groups = node_groups.groups(blueprint)
        for container in node_containers.containers(blueprint, groups) if not mounts else ():
            yield Finding(
                f"the setup scripts of the nodes and the settings of their container {allowed}",
                context.at(container, "image"),
                help="put long texts into files, and copy those to the nodes with `files`",
            )
