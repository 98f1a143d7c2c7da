from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "VM162",
    severity=Severity.WARNING,
    source="Google Cloud: how operations affect the preserved state of managed instances",
)
def kept_disk_never_updated(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """Changes are applied to nodes at once, but their boot disks are kept.

    A kept boot disk is put into the machine that replaces a node: its image and its size stay what they
    were. Only the rest of a change (metadata, script, machine type) reaches such a node.

    Remove `keep` for nodes that follow their image, or `update` for nodes that are looked after by hand.
    """
    if nodes.boot_disk.keep is not True or nodes.update != "proactive":
        return
    yield Finding(
        "a boot disk that is kept never gets a newer image, whenever nodes are replaced",
        context.at(nodes.boot_disk, "keep"),
        also=(context.at(nodes, "update", text="replaced at once"),),
        help="remove keep: with update: proactive, nodes start from the image",
    )
