from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_slurm import NodeSlurm
from clusterprint.derived import node_containers, node_groups, node_settings, node_slurm, vm_runs
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


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


@rule("VM238", severity=Severity.ERROR)
def slurm_stops_other_work(slurm: NodeSlurm, context: Context[VmBlueprint]) -> Iterator[Finding]:
    blueprint = context.blueprint
    for group in node_slurm.saving_groups(blueprint, slurm):
        own = {
            "Ray": blueprint.bootstrap.ray is not UNSET,
            "a container": node_containers.container_of(blueprint, group) is not UNSET,
            "JupyterLab": node_settings.notebook_port(blueprint, group) > 0,
            "a program of MPI": any(
                vm_runs.group_of(blueprint, each) is group for each in vm_runs.runs(blueprint)
            ),
        }
        for what in (name for name, runs in own.items() if runs):
            yield Finding(
                f"power saving stops nodes of {node_groups.name_on_nodes(group)} while {what} runs on them",
                context.at_key(slurm, "power_saving"),
                also=(context.at(group, "machine_type", text="the group"),),
                help="list only other groups in power_saving.groups, or remove one of the two",
            )


@rule("VM231", severity=Severity.ERROR)
def slurm_controller_does_not_stay(slurm: NodeSlurm, context: Context[VmBlueprint]) -> Iterator[Finding]:
    head = node_slurm.controller(context.blueprint, slurm)
    if head is None:
        return
    if head.capacity.model == "spot":
        yield Finding(
            "the controller of Slurm is a spot machine, which Google takes away",
            context.at(head.capacity, "model"),
            also=(
                context.at_key(context.blueprint.bootstrap, "slurm", text="its first node is the controller"),
            ),
            help="name a group of on-demand nodes in controller",
        )
    if slurm.accounting is not UNSET and not node_groups.keeps_boot_disk(head):
        yield Finding(
            "the accounts of jobs are on the boot disk of the controller, which is not kept",
            context.at_key(slurm, "accounting"),
            also=(context.at(head, "machine_type", text="the controller"),),
            help="let its group keep boot disks (boot_disk: {keep: true}), or remove accounting",
        )
