from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.derived.scale_sets import has_infiniband, is_uniform
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ010", severity=Severity.WARNING, source="Azure: orchestration modes for virtual machine scale sets")
def infiniband_in_flexible_set(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """Machines with InfiniBand are in a flexible scale set.

    InfiniBand partitions are those of placement groups, and Azure's documentation guarantees them for uniform
    sets with a single group only. Some have seen it work in flexible sets, but that is not guaranteed.

    Leave `orchestration` out, or write `uniform`.
    """
    if has_infiniband(nodes) and not is_uniform(nodes):
        yield Finding(
            f"{nodes.size} has InfiniBand, which Azure supports in uniform scale sets only",
            context.at(nodes, "orchestration"),
            also=(context.at(nodes, "size", text="the size"),),
            help="remove orchestration: the default is uniform",
        )
