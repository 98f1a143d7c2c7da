from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_slurm import NodeSlurm
from clusterprint.derived import node_groups, node_slurm
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


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
