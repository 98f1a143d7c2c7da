from clusterprint.blueprint.machines import VmCapacity
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "VM211",
    severity=Severity.ERROR,
    source="Compute Engine API: FutureReservation, reservationMode",
    firm=True,
)
def calendar_without_reservation(capacity: VmCapacity, context: Context) -> Iterator[Finding]:
    """`calendar` is set, but nodes do not come from a reservation.

    Calendar mode is a way to reserve machines: it provides a reservation at a set time, which is named here.

    Write `model: reservation` with its name, or remove `calendar`.
    """
    if capacity.calendar and capacity.model != "reservation":
        written = context.wrote(capacity, "model")
        yield Finding(
            f"calendar is for reservations, but the capacity model is {capacity.model}"
            + ("" if written else " (the default)"),
            context.at(capacity, "calendar"),
            also=(context.at(capacity, "model", text="the capacity model"),) if written else (),
            help="write model: reservation, or remove calendar",
        )
