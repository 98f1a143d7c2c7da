from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_containers, node_groups, node_slurm
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM255", severity=Severity.ERROR)
def idle_never_stops(group: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    if group.idle is UNSET or group.idle.action != "stop":
        return
    blueprint, name = context.blueprint, node_groups.name_on_nodes(group)
    slurm = blueprint.bootstrap.slurm
    if slurm is not UNSET and any(each is group for each in node_slurm.saving_groups(blueprint, slurm)):
        yield Finding(
            f"Slurm's power saving already stops idle nodes of {name}, and starts them for jobs",
            context.at(group.idle, "action"),
            also=(context.at_key(slurm, "power_saving", text="power saving"),),
            help="write action: report, or list only other groups in power_saving.groups",
        )
    container = node_containers.container_of(blueprint, group)
    if container is not UNSET and container.gpus is not False and container.restart == "always":
        yield Finding(
            f"nodes of {name} are never idle: their container always runs, with the GPUs",
            context.at(group.idle, "action"),
            also=(context.at(container, "image", text="the container"),),
            help="write restart: on_failure if the container ends by itself, or remove idle",
        )
