from collections.abc import Iterator

from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules import _ranges
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule
from clusterprint.rules.vmss._written import ssh_ranges


@rule("AZ025", severity=Severity.ERROR, source="Azure: network security groups, security rules")
def ssh_source_repeated(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """A range that may open SSH connections is listed twice, or lies inside another one.

    Azure refuses a security rule whose ranges overlap.

    Keep the one that is meant.
    """
    written = [(_ranges.read(text), place) for text, place in ssh_ranges(blueprint, context)]
    readable = [(cidr, place) for cidr, place in written if cidr]
    for one, another in _ranges.repeated([cidr for cidr, _ in readable]):
        (cidr, place), (other, there) = readable[one], readable[another]
        same = cidr == other
        yield Finding(
            f"{cidr} is listed twice" if same else f"{cidr} lies inside {other}",
            place,
            also=(there._replace(text="first listed here" if same else "contains it"),),
            help="keep the one that is meant",
        )
