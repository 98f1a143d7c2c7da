from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived.scale_sets import has_infiniband
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ084", severity=Severity.ERROR, source="Azure: InfiniBand and placement groups of scale sets")
def head_outside_infiniband(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """The head runs jobs together with nodes, but has no InfiniBand with them.

    A head with `runs_jobs` is a machine beside the scale set. InfiniBand connects the machines of one
    placement group, which is inside of the set, so a job over the head and the nodes would hang, or fail.

    Start jobs on a node, which reaches all others, or write `nodes.count: 0` for a single machine.
    """
    head, nodes = blueprint.head_node, blueprint.nodes
    if head.runs_jobs and not head.in_scale_set and nodes.count and has_infiniband(nodes):
        yield Finding(
            "a head that runs jobs has no InfiniBand with the nodes: it is a machine beside the scale set",
            context.at(head, "runs_jobs"),
            also=(context.at(nodes, "size", text="machines with InfiniBand"),),
            help="remove runs_jobs, and start jobs on a node; or write nodes.count: 0",
        )
