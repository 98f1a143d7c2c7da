from clusterprint.blueprint.azure_machines import AzureCapacity
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ014", severity=Severity.ERROR, source="Azure: on-demand capacity reservation", firm=True)
def reservation_not_named(capacity: AzureCapacity, context: Context) -> Iterator[Finding]:
    """Capacity comes from a reservation but none is named, or one is named but not used.

    Machines are bound to one capacity reservation group by its id. With another capacity model they would
    not come from it, and it would be paid for without being used.

    Write both `model: reservation` and `reservation`, or neither.
    """
    reserved = capacity.model == "reservation"
    if reserved and capacity.reservation is UNSET:
        yield Finding(
            "capacity comes from a reservation, but none is named",
            context.at(capacity, "model"),
            help="add reservation: with the id of a capacity reservation group",
        )
    if not reserved and capacity.reservation is not UNSET:
        yield Finding(
            f"a reservation is named, but the capacity model is {capacity.model}",
            context.at_key(capacity, "reservation"),
            also=(context.at(capacity, "model", text="the capacity model"),),
            help="write model: reservation, or remove the reservation",
        )
