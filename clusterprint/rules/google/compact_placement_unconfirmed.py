from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP040", severity=Severity.WARNING, source="Google Cloud: about placement policies")
def compact_placement_unconfirmed(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    """A compact placement policy is set for machines that are not known to support one.

    Only some machine series can be placed compactly: all GPU series, and the compute-optimized ones among
    the others. Google refuses the policy on the rest.

    Remove the policy, or ignore this warning if you know better.
    """
    if nodes.placement.policy != "compact":
        return
    found = machine(nodes.machine_type)
    if found is None or found.compact_placement:
        return
    yield Finding(
        f"{found.name} is not known to support compact placement policies",
        context.at(nodes.placement, "policy"),
        also=(context.at(nodes, "machine_type", text="the machine type"),),
        help="remove policy, or write policy: none",
    )
