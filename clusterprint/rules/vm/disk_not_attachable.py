from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_groups, volumes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM171", severity=Severity.ERROR, firm=True)
def disk_not_attachable(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    for volume in context.blueprint.storage.volumes:
        if volume.kind != "disk":
            continue
        if volumes.is_own_disk(volume):
            if nodes.capacity.model == "flex_start":
                yield Finding(
                    f"flex_start nodes cannot keep a disk, such as {volume.name}",
                    context.at(nodes.capacity, "model"),
                    also=(context.at(volume, "name", text="the disk"),),
                    help="remove the volume, or use the local SSDs (scratch)",
                )
            continue
        if volume.access == "read_write":
            yield Finding(
                f"several nodes would write to the existing disk {volume.name}",
                context.at(volume, "kind"),
                help="add access: read_only, or use filestore for what all nodes write",
            )
        home = context.blueprint.zone if volume.zone is UNSET else volume.zone
        others = [zone for zone in node_groups.zones(context.blueprint, nodes) if zone != home]
        if others:
            yield Finding(
                f"the disk of volume {volume.name} is in {home}, but nodes are in {', '.join(others)}",
                context.at(volume, "zone") if volume.zone is not UNSET else context.at(volume, "name"),
                also=(context.at(nodes, "machine_type", text="these nodes"),),
                help="put the nodes into the zone of the disk",
            )
