from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_slurm import NodeSlurm
from clusterprint.derived import node_groups, node_settings, node_slurm
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM236", severity=Severity.ERROR)
def slurm_node_cannot_be_stopped(slurm: NodeSlurm, context: Context[VmBlueprint]) -> Iterator[Finding]:
    for group in node_slurm.saving_groups(context.blueprint, slurm):
        name = node_groups.name_on_nodes(group)
        also = (context.at_key(slurm, "power_saving", text="power saving"),)
        if node_settings.local_ssds(group):
            yield Finding(
                f"power saving cannot stop nodes of {name}: {group.machine_type} has local SSDs",
                context.at(group, "machine_type"),
                also=also,
                help="list only other groups in power_saving.groups, or use machines without local SSDs",
            )
        if group.capacity.model == "flex_start":
            yield Finding(
                f"power saving cannot start nodes of {name} again: flex-start machines are granted once",
                context.at(group.capacity, "model"),
                also=also,
                help="list only other groups in power_saving.groups, or use another capacity model",
            )
