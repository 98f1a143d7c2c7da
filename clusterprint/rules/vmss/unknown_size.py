from clusterprint import did_you_mean
from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.derived.scale_sets import size_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ002", severity=Severity.WARNING, source="Azure: GPU accelerated virtual machine sizes")
def unknown_size(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """The size of the nodes is not in the catalog.

    It may be newer than the catalog, a size without GPUs, or a typing mistake that Azure would only refuse
    during deployment. GPUs and NVMe disks of these machines are then unknown, so neither the image nor the
    benchmark is chosen for them. Whether there is InfiniBand follows from the name, which has a small `r`
    after the number of processors then.

    Correct the name, or ignore this warning if the size exists.
    """
    if size_of(nodes) is not None:
        return
    yield Finding(
        f"size {nodes.size} is not in the catalog",
        context.at(nodes, "size"),
        help=did_you_mean.azure_size(nodes.size) or "`clusterprint machines` lists the machine types",
        instead=did_you_mean.only("azure_size", nodes.size),
    )
