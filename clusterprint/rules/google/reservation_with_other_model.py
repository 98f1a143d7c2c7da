from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.google._capacity import names_other_reservation
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP013", severity=Severity.ERROR, source="Google Cloud: consume a reservation", firm=True)
def reservation_with_other_model(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """A reservation is named, but the capacity model is another.

    Spot and flex-start machines never come from a reservation, and machines on demand would leave it
    unused while you pay for both.

    Write `model: reservation`, or remove `reservation`.
    """
    if not names_other_reservation(group):
        return
    capacity = group.capacity
    written = context.wrote(capacity, "model")
    default = "" if written else " (the default)"
    yield Finding(
        f"a reservation is named, but the capacity model is {capacity.model}{default}",
        context.at(capacity, "reservation"),
        also=(context.at(capacity, "model", text="the capacity model"),) if written else (),
        help="write model: reservation, or remove reservation",
    )
