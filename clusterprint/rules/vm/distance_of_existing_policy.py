from clusterprint.blueprint.machines import VmPlacement
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM167", severity=Severity.ERROR, source="Compute Engine API: ResourcePolicy", firm=True)
def distance_of_existing_policy(placement: VmPlacement, context: Context) -> Iterator[Finding]:
    """A maximum distance is set for an existing placement policy.

    An existing policy says how far apart nodes may be; nothing here changes it.

    Remove the distance, or let clusterprint create the policy.
    """
    if not given(placement.existing) or not given(placement.max_topology_distance):
        return
    yield Finding(
        f"placement policy {placement.existing} has its own maximum distance",
        context.at(placement, "max_topology_distance"),
        also=(context.at(placement, "existing", text="the policy"),),
        help="remove max_topology_distance, or remove existing",
    )
