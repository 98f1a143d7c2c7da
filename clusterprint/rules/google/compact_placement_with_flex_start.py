from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import placement
from clusterprint.rules.google._capacity import is_sold
from clusterprint.rules.google._placement import placed_compactly
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, listed, rule


@rule("GCP043", severity=Severity.WARNING, source="Cluster Toolkit: gke-node-pool and Slurm nodeset modules")
def compact_placement_with_flex_start(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    """A compact placement policy is set for flex-start machines that are not known to support it.

    Flex-start takes machines wherever they are available. Cluster Toolkit refuses the combination for all
    but a few series.

    Remove the policy, or choose another capacity model.
    """
    found = placed_compactly(nodes)
    if found is None or nodes.capacity.model != "flex_start":
        return
    allowed = placement().flex_start_with_compact
    if found.series in allowed or is_sold(found, "flex_start") is False:
        return
    yield Finding(
        f"{found.name} is not known to support compact placement with flex_start capacity",
        context.at(nodes.placement, "policy"),
        also=(context.at(nodes.capacity, "model", text="the capacity model"),),
        help=f"remove policy; the series known to support both are {listed(allowed, 'and')}",
    )
