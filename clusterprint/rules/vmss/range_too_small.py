from clusterprint import catalog
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import azure_ranges, azure_volumes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, counted, rule
from clusterprint.rules.vmss._blueprint_ranges import network_range, readable_range


@rule("AZ032", severity=Severity.ERROR, firm=True)
def range_too_small(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    nodes, network = blueprint.nodes, blueprint.network
    cidr = readable_range(network)
    if cidr is None:
        return
    created = network.existing is UNSET
    longest = azure_ranges.longest_prefix_for(nodes.count + 1) - (1 if created else 0)
    needs = f"{counted(nodes.count, 'node')} and the head"
    beside = _beside(blueprint) if created else {}
    if beside and (enough := azure_ranges.longest_prefix_beside(beside.values())) < longest:
        longest = enough
        needs = f"{needs}, and {' and '.join(beside)}"
    if cidr.prefixlen > longest:
        yield Finding(
            f"{cidr} is too small for {needs}",
            network_range(network, context)[1],
            also=(context.at(nodes, "count", text="the nodes"),) if context.wrote(nodes, "count") else (),
            help=f"use a /{longest} or larger",
        )


def _beside(blueprint: VmssBlueprint) -> dict[str, int]:
    """The subnets in the half of the range beside the machines', and their prefix lengths."""
    lustre = azure_volumes.created_lustre(blueprint.storage)
    return {
        **({"Bastion": azure_ranges.BASTION_PREFIX} if blueprint.network.bastion else {}),
        **(
            {"Lustre": catalog.azure_lustre_subnet_prefix(azure_volumes.lustre_gib(lustre))} if lustre else {}
        ),
    }
