from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import machine
from clusterprint.derived import node_settings
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM089", severity=Severity.ERROR, source="Google Cloud: about local SSD disks")
def scratch_without_local_ssd(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """A scratch disk is asked for on machines without local SSDs.

    The scratch disk is made of the local SSDs of a machine. Without any, nothing would be at its folder, and
    what is written there would fill the boot disk.

    Add `local_ssd`, choose a machine type that has some, or remove `scratch`.
    """
    if not context.wrote(nodes, "scratch") or not nodes.scratch.enabled:
        return
    found = machine(nodes.machine_type)
    if found is None or node_settings.local_ssds(nodes):
        return
    takes = found.local_ssd.mode == "optional"
    yield Finding(
        f"scratch requires local SSDs, which these {found.name} machines do not have",
        context.at_key(nodes, "scratch"),
        also=(context.at(nodes, "machine_type", text="the machine type"),),
        help="add local_ssd: {count: 1}, or remove scratch" if takes else "remove scratch",
    )
