from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_slurm import NodeSlurm
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM245", severity=Severity.ERROR, firm=True)
def slurm_qos_in_a_circle(slurm: NodeSlurm, context: Context[VmBlueprint]) -> Iterator[Finding]:
    names = {each.name: each.yields_to for each in slurm.qos}
    for each in slurm.qos:
        above, new = set[str](), [*each.yields_to]
        while new:
            name = new.pop()
            new += () if name in above else names.get(name, ())
            above.add(name)
        if each.name in above:
            yield Finding(
                f"jobs of {each.name} yield to jobs of {each.name}, directly or by way of others",
                context.at_key(each, "yields_to"),
                help="remove a QOS from yields_to",
            )
            return
