from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_slurm import NodeSlurm
from clusterprint.derived import node_groups, node_slurm
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, counted, rule


@rule("VM237", severity=Severity.ERROR)
def slurm_power_saving_saves_nothing(slurm: NodeSlurm, context: Context[VmBlueprint]) -> Iterator[Finding]:
    saving = slurm.power_saving
    if saving is UNSET:
        return
    for group in node_slurm.saving_groups(context.blueprint, slurm):
        name = node_groups.name_on_nodes(group)
        on = node_slurm.always_on(context.blueprint, slurm, group)
        if group.count and on >= group.count:
            first = "the first one always runs" if on == 1 else f"the first {on} always run"
            yield Finding(
                f"power saving stops no node of {name}: it has {counted(group.count, 'node')}, and {first}",
                context.at(saving, "static")
                if saving.static >= on
                else context.at_key(slurm, "power_saving"),
                also=(context.at(group, "count", text="the nodes"),),
                help="lower static, or list only other groups in power_saving.groups"
                if saving.static >= on
                else "list other groups in power_saving.groups, or remove power_saving",
            )
        if group.capacity.model == "reservation":
            yield Finding(
                f"nodes of {name} are reserved, which costs the same when they are stopped",
                context.at(group.capacity, "model"),
                also=(context.at_key(slurm, "power_saving", text="power saving"),),
                help="list only other groups in power_saving.groups, or remove power_saving",
            )
