from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.volumes import VmVolume
from clusterprint.derived import volumes
from clusterprint.rules.google._hyperdisks import shared
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM170", severity=Severity.ERROR, firm=True)
def node_disk_goes_with_node(volume: VmVolume, context: Context[VmBlueprint]) -> Iterator[Finding]:
    if not volumes.is_own_disk(volume):
        return
    if volume.zone is not UNSET:
        yield Finding(
            f"zone does nothing for volume {volume.name}: each node has a disk of its own, in its own zone",
            context.at(volume, "zone"),
            help=f"remove zone, or make it one disk that all nodes read: {shared(volume)}",
        )
    if volume.deletion_protection:
        yield Finding(
            f"each node has a disk {volume.name} of its own, which is deleted with the node",
            context.at(volume, "name"),
            help=f"add deletion_protection: false here, and may_lose: [{volume.name}] to storage",
        )
