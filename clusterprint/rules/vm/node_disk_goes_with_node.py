from collections.abc import Iterator

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.volumes import VmVolume
from clusterprint.derived import volumes
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule(
    "VM170",
    severity=Severity.ERROR,
    source="Google Cloud: stateful disks in managed instance groups",
    firm=True,
)
def node_disk_goes_with_node(volume: VmVolume, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Disks of nodes are protected, but each is deleted with its node.

    A disk of a node's own survives repairs and new versions of the node. When the node is removed from the
    blueprint its disk is destroyed with it, and nothing can keep that from happening.

    Write in both places that it may be lost, and keep what must stay on a file system or in a bucket.
    """
    if volumes.is_own_disk(volume) and volume.deletion_protection:
        yield Finding(
            f"each node has a disk {volume.name} of its own, which is deleted with the node",
            context.at(volume, "name"),
            help=f"add deletion_protection: false here, and may_lose: [{volume.name}] to storage",
        )
