from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.rules import _listed_ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss._blueprint_ranges import all_ranges


@rule("AZ030", severity=Severity.ERROR, source="RFC 4632: classless inter-domain routing", firm=True)
def invalid_range(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """A range has the form of a CIDR, but its numbers are out of bounds.

    Each of the four numbers of an address goes from 0 to 255, and has no leading zero, which some programs
    read as octal; the length of the prefix goes from 0 to 32.

    Correct the number.
    """
    yield from _listed_ranges.invalid(all_ranges(blueprint, context))
