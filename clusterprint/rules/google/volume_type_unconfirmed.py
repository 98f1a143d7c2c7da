from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import volumes
from clusterprint.rules.google._hyperdisks import unconfirmed
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GCP125", severity=Severity.WARNING, source="Persistent Disk CSI driver: disk types of machine series")
def volume_type_unconfirmed(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The nodes are not known to attach disks of this type.

    Each machine series attaches only some types of Hyperdisk, and older ones none. The list is that of
    Google's own driver, which grows, so Google may accept what it lacks.

    Use a type from the help, other machines, or a file system; or ignore this warning if you know better.
    """
    for volume in context.blueprint.storage.volumes:
        if help_text := unconfirmed(volume, nodes.machine_type):
            yield Finding(
                f"{nodes.machine_type} is not known to attach disks of type {volumes.disk_type(volume)}",
                context.at(volume, "type" if given(volume.type) else "kind"),
                also=(context.at(nodes, "machine_type", text="the machine type"),),
                help=help_text,
            )
