from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.google._capacity import is_sold
from clusterprint.rules.google._placement import placed_compactly
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule


@rule("GCP044", severity=Severity.WARNING, source="Google Cloud: consume a reservation")
def compact_placement_with_reservation(nodes: MachineGroup, context: Context) -> Iterator[Finding]:
    """A placement policy is set for machines from a reservation.

    The placement of reserved machines was decided when they were reserved. A machine that asks for another
    placement policy than the reservation has does not match it, and is not created.

    Remove the policy; the reservation brings its own placement. If it was made with a policy, name that one
    as `existing`.
    """
    found = placed_compactly(nodes)
    # An existing policy may be the one that the reservation was made with.
    own = not given(getattr(nodes.placement, "existing", UNSET))
    reserved = nodes.capacity.model == "reservation"
    if found is None or not (own and reserved) or is_sold(found, "reservation") is False:
        return
    yield Finding(
        "a reservation brings its own placement, which a compact policy of this cluster does not match",
        context.at(nodes.placement, "policy"),
        also=(context.at(nodes.capacity, "model", text="the capacity model"),),
        help="remove policy, or name the policy of the reservation as existing",
    )
