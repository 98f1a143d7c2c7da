from clusterprint import catalog
from clusterprint.blueprint.gke.compute_classes import AutoCreation
from clusterprint.blueprint.machines import Capacity
from clusterprint.derived import reservations
from clusterprint.rules.google._capacity import is_sold
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule(
    "GKE413",
    severity=Severity.ERROR,
    source="Google Cloud: about custom compute classes in GKE; consume a reservation",
    firm=True,
)
def auto_created_capacity_unusable(nodes: AutoCreation, context: Context) -> Iterator[Finding]:
    """A capacity model of auto-created nodes is incomplete, not available, or listed twice.

    Capacity model `reservation` needs the name of a reservation, and each machine type is available under
    some models only. A model that is listed twice would be tried once.

    Remove the entry, or complete it.
    """
    machine = catalog.machine(nodes.machine_type)
    seen: list[object] = []
    for capacity, key in known(nodes.capacity, _key):
        model = capacity.model
        sold = machine is None or is_sold(machine, model)
        if key in seen:
            why, field, help_text = "is listed twice", "model", "remove one of them"
        elif model == "reservation" and not given(capacity.reservation):
            why, field, help_text = "has no reservation", "model", "add reservation: NAME"
        elif given(capacity.reservation) and reservations.is_part(capacity.reservation):
            why, field, help_text = (
                "takes whole reservations, not blocks",
                "reservation",
                "name the reservation without block",
            )
        elif sold is False:
            why, field, help_text = f"is not available for {nodes.machine_type}", "model", "remove the entry"
        else:
            seen.append(key)
            continue
        yield Finding(f"capacity model {model} {why}", context.at(capacity, field), help=help_text)


def _key(capacity: Capacity) -> object:
    return (capacity.model, capacity.reservation, capacity.max_run_duration)
