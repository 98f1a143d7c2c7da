from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.rules import _listed_ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss._blueprint_ranges import all_ranges


@rule("AZ031", severity=Severity.ERROR, source="RFC 4632: classless inter-domain routing", firm=True)
def range_with_host_bits(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """A range is not written as a network: bits after the prefix are set.

    10.0.0.5/16 may mean the one address 10.0.0.5, or all of 10.0.0.0/16: an opened port may be open to
    65,536 times as many addresses as was meant. Azure refuses networks that are written so.

    Write the first address of the range, or /32 for a single address.
    """
    yield from _listed_ranges.with_host_bits(all_ranges(blueprint, context), single=True)
