from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_settings
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM142", severity=Severity.ERROR, source="Google Cloud: stop a VM that has Local SSD disks", firm=True)
def end_cannot_stop(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Nodes are set to stop at the end of their time to live, but their group cannot stop them.

    A machine with local SSDs is stopped only if the request says that their data may be lost, and a group has
    no way to say so.

    Write `time_to_live_action: delete`, and keep what has to stay in a bucket; or use machines without local
    SSDs.
    """
    blueprint = context.blueprint
    if not given(blueprint.time_to_live) or blueprint.time_to_live_action != "stop":
        return
    disks = node_settings.local_ssds(nodes)
    if disks:
        yield Finding(
            f"{nodes.machine_type} with local SSDs cannot be stopped by its group, only deleted",
            context.at(blueprint, "time_to_live_action"),
            also=(context.at(nodes, "machine_type", text="the machine type"),),
            help="write time_to_live_action: delete",
        )
