from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM105", severity=Severity.ERROR, source="Compute Engine: repair VMs in a MIG", firm=True)
def repair_refused(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Recreating unhealthy nodes is on where it is not possible.

    Flex-start nodes were granted once, all together: a node that is deleted does not come back. Without
    health checks it is not known which nodes are unhealthy. A node whose boot disk is kept would be recreated
    with what made it unhealthy.

    Remove `repair: true`, or what prevents it.
    """
    if not nodes.health.repair:
        return
    repair = context.at(nodes.health, "repair")
    if nodes.capacity.model == "flex_start":
        yield Finding(
            "flex-start nodes cannot be recreated when they are unhealthy: they were granted once",
            repair,
            also=(context.at(nodes.capacity, "model", text="the capacity model"),),
            help="remove repair",
        )
    if nodes.repair is False:
        yield Finding(
            "unhealthy nodes cannot be recreated while repair is disabled",
            repair,
            also=(context.at(nodes, "repair", text="disabled here"),),
            help="remove repair: false, or health.repair",
        )
    if nodes.boot_disk.keep is True:
        yield Finding(
            "unhealthy nodes cannot both be recreated and keep their boot disk",
            repair,
            also=(context.at(nodes.boot_disk, "keep", text="set here"),),
            help="remove keep, or health.repair",
        )
    if given(nodes.health.enabled) and not nodes.health.enabled:
        yield Finding(
            "unhealthy nodes cannot be recreated: health checks are disabled",
            repair,
            also=(context.at(nodes.health, "enabled", text="disabled here"),),
            help="remove enabled: false, or repair",
        )
