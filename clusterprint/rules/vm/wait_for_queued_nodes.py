from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM147", severity=Severity.ERROR, source="Google Cloud: about resize requests in a MIG", firm=True)
def wait_for_queued_nodes(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """An apply is set to wait for flex-start nodes.

    Flex-start nodes are created when there is capacity for all, maybe in days, and Compute Engine names them
    then: an apply would hold the state lock all that time.

    Remove `wait`, and check with the commands in the outputs `connect` and `status`; or choose another
    capacity model.
    """
    if not given(context.blueprint.wait) or nodes.capacity.model != "flex_start":
        return
    yield Finding(
        "an apply cannot wait for flex_start nodes: they may be queued for days",
        context.at_key(context.blueprint, "wait"),
        also=(context.at(nodes.capacity, "model", text="the capacity model"),),
        help="remove it: the outputs connect and status say how to check",
    )
