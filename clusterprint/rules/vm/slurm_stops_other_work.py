from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_slurm import NodeSlurm
from clusterprint.derived import node_containers, node_groups, node_settings, node_slurm, vm_runs
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


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
