from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.google._capacity import is_sold, offered
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GCP012", severity=Severity.ERROR, firm=True)
def reservation_missing(group: MachineGroup, context: Context) -> Iterator[Finding]:
    capacity = group.capacity
    if capacity.model != "reservation" or capacity.reservation is not UNSET:
        return
    found = offered(group)
    if found and is_sold(found, capacity.model) is False:
        return  # another rule says that there is no such reservation
    yield Finding(
        "the capacity model is reservation, but no reservation is named",
        context.at(capacity, "model"),
        help="add reservation: NAME, or reservation: projects/PROJECT/reservations/NAME for a shared one",
    )
