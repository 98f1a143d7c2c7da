from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.rules import _listed_ranges
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss._blueprint_ranges import ssh_ranges


@rule("AZ022", severity=Severity.WARNING, source="Azure: network security best practices")
def ssh_open_to_all(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """SSH is open to the whole internet, or to a large part of it.

    Open SSH ports are found within minutes, and attacked day and night.

    Name the ranges of your own network, or use Bastion, which checks each person's Azure account.
    """
    yield from _listed_ranges.open_to_internet(
        ssh_ranges(blueprint, context), "SSH", help="name your own network, or use network: {bastion: true}"
    )
