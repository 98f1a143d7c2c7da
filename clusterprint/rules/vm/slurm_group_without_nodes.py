from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_slurm import NodeSlurm
from clusterprint.derived import node_slurm
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM230", severity=Severity.ERROR, firm=True)
def slurm_group_without_nodes(slurm: NodeSlurm, context: Context[VmBlueprint]) -> Iterator[Finding]:
    head = node_slurm.controller(context.blueprint, slurm)
    if head is not None and not head.count:
        yield Finding(
            "the group of the controller has no nodes",
            context.at(slurm, "controller"),
            also=(context.at(head, "count", text="no nodes"),),
            help="name another group, or give it a node",
        )
    if head is not None and head.capacity.model == "flex_start":
        yield Finding(
            "the controller of Slurm is a flex-start machine, which has no name before Google grants it",
            context.at(head.capacity, "model"),
            also=(
                context.at_key(context.blueprint.bootstrap, "slurm", text="its first node is the controller"),
            ),
            help="name a group of another capacity model in controller",
        )
    for partition in slurm.partitions:
        groups = node_slurm.groups_of(context.blueprint, slurm, partition)
        if groups and not any(each.count for each in groups):
            yield Finding(
                f"partition {partition.name} has no nodes",
                context.at(partition, "groups" if partition.groups else "name"),
                also=tuple(context.at(each, "count", text="no nodes") for each in groups),
                help="add a group that has nodes, or remove the partition",
            )
