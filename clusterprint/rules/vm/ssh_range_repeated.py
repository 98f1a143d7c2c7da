from clusterprint.blueprint.vm_network import Network
from clusterprint.rules import _listed_ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vm import _ssh_ranges


@rule("VM040", severity=Severity.WARNING, source="Google Cloud: VPC firewall rules")
def ssh_range_repeated(network: Network, context: Context) -> Iterator[Finding]:
    """A range that may open SSH connections is listed twice, or is inside another one.

    The entry has no effect, and removing it would not close access, which is surprising when it matters.

    Keep the intended one.
    """
    yield from _listed_ranges.repeated(_ssh_ranges.ssh_ranges(network, context))
