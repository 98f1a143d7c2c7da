from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.google._capacity import findings
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP010", severity=Severity.ERROR)
def capacity_model_not_sold(group: MachineGroup, context: Context) -> Iterator[Finding]:
    yield from findings(group, context, sold=False, words="is not available")


@rule("GCP011", severity=Severity.WARNING)
def capacity_model_unconfirmed(group: MachineGroup, context: Context) -> Iterator[Finding]:
    yield from findings(group, context, sold=None, words="is not known to be available")
