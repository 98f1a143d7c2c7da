from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_slurm import NodeSlurm
from clusterprint.derived import node_groups, node_settings, node_slurm
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "VM236",
    severity=Severity.ERROR,
    source="Google Cloud: stop a VM that has Local SSD disks; flex-start VMs",
)
def slurm_node_cannot_be_stopped(slurm: NodeSlurm, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Slurm's power saving is for nodes that Google does not stop, or does not start again.

    A machine with local SSDs is stopped only if the request says that their data may be lost, and a group of
    machines has no way to say so. A flex-start machine that ends does not come back.

    Name the groups that can be stopped in `groups` of power_saving, or use other machines.
    """
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
