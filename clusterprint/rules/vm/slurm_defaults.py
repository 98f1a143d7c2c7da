from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_slurm import NodeSlurm
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM235", severity=Severity.ERROR, firm=True)
def slurm_defaults(slurm: NodeSlurm, context: Context[VmBlueprint]) -> Iterator[Finding]:
    defaults = [each for each in slurm.partitions if each.default]
    for each in defaults[1:]:
        yield Finding(
            f"partitions {defaults[0].name} and {each.name} are both the default",
            context.at(each, "default"),
            also=(context.at(defaults[0], "default", text="the first one"),),
            help="remove one default: true",
        )
