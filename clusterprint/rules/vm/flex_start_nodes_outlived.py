from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM161", severity=Severity.ERROR, source="Google Cloud: about resize requests in a MIG", firm=True)
def flex_start_nodes_outlived(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """Flex-start nodes are set to be repaired, or to keep their boot disks.

    Flex-start capacity is granted only once: a group must not repair its nodes, and their boot disks are
    deleted with them.

    Remove it, and keep what must outlive the machines in a bucket.
    """
    if nodes.capacity.model != "flex_start":
        return
    also = (context.at(nodes.capacity, "model", text="the capacity model"),)
    if nodes.repair is True:
        yield Finding(
            "flex_start capacity is granted only once: no group can repair these nodes",
            context.at(nodes, "repair"),
            also=also,
            help="remove repair, or write repair: false",
        )
    if nodes.boot_disk.keep is True:
        yield Finding(
            "the boot disks of flex_start nodes are deleted with their machines",
            context.at(nodes.boot_disk, "keep"),
            also=also,
            help="remove keep, and keep data in a bucket",
        )
