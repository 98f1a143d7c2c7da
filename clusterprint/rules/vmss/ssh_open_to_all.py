from collections.abc import Iterator

from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules import _ranges
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule
from clusterprint.rules.vmss._written import ssh_ranges


@rule("AZ022", severity=Severity.WARNING, source="Azure: network security best practices")
def ssh_open_to_all(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """SSH is open to the whole internet, or to a large part of it.

    Open SSH ports are found within minutes, and tried day and night.

    Name the ranges of your own network, or use Bastion, which checks each person's Azure account.
    """
    for text, place in ssh_ranges(blueprint, context):
        # With bits behind the prefix, the prefix is likely the mistake, and has been reported.
        cidr = _ranges.read(text) if _ranges.is_canonical(text) else None
        if cidr and cidr.prefixlen < _ranges.SHORTEST_PLACE and not _ranges.is_private(cidr):
            whole = "the whole internet" if cidr.prefixlen == 0 else f"{cidr.num_addresses:,} addresses"
            yield Finding(
                f"{text} opens SSH to {whole}",
                place,
                help="name your own network, or use network: {bastion: true}",
            )
