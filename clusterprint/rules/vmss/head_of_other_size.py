from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ085", severity=Severity.ERROR, source="clusterprint: machines that run jobs together", firm=True)
def head_of_other_size(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """The head runs jobs, but has another size than the nodes.

    Jobs, health checks and the benchmark count on machines that are alike: the same number of GPUs on each,
    of one type.

    Leave the size of the head out, or let it run no jobs.
    """
    head, nodes = blueprint.head_node, blueprint.nodes
    if head.runs_jobs and head.size is not UNSET and head.size != nodes.size:
        yield Finding(
            f"a head that runs jobs must have the size of the nodes, {nodes.size}, not {head.size}",
            context.at(head, "size"),
            also=(context.at(nodes, "size", text="the size of the nodes"),),
            help="remove size, or runs_jobs",
        )
