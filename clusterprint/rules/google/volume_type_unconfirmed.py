from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import volumes
from clusterprint.rules.google._hyperdisks import unconfirmed
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GCP125", severity=Severity.WARNING)
def volume_type_unconfirmed(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    for volume in context.blueprint.storage.volumes:
        if help_text := unconfirmed(volume, nodes.machine_type):
            yield Finding(
                f"{nodes.machine_type} is not known to attach disks of type {volumes.disk_type(volume)}",
                context.at(volume, "type" if given(volume.type) else "kind"),
                also=(context.at(nodes, "machine_type", text="the machine type"),),
                help=help_text,
            )
