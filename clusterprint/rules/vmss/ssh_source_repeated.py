from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.rules import _listed_ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss._blueprint_ranges import ssh_ranges


@rule("AZ025", severity=Severity.ERROR, source="Azure: network security groups, security rules")
def ssh_source_repeated(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """A range that may open SSH connections is listed twice, or is inside another one.

    Azure refuses a security rule whose ranges overlap.

    Keep the intended one.
    """
    yield from _listed_ranges.repeated(ssh_ranges(blueprint, context))
