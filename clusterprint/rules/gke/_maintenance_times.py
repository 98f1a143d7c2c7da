"""Moments in UTC, as blueprints write them."""

from datetime import UTC, datetime

from clusterprint.blueprint.gke.maintenance import Maintenance, MaintenanceExclusion, MaintenanceWindow
from clusterprint.rules.kit import UNSET, Iterator, known

FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def moment(text: str) -> datetime | None:
    """A moment such as `2026-12-01T00:00:00Z`; None where the calendar has no such day."""
    try:
        return datetime.strptime(str(text), FORMAT).replace(tzinfo=UTC)
    except ValueError:
        return None


def spans(maintenance: Maintenance) -> Iterator[MaintenanceWindow | MaintenanceExclusion]:
    """The maintenance window and the exclusions whose start is readable."""
    window = () if maintenance.window is UNSET else (maintenance.window,)
    for each, _ in known((*window, *maintenance.exclusions), lambda each: (each.start, each.end)):
        yield each


def written_moments(
    maintenance: Maintenance,
) -> Iterator[tuple[MaintenanceWindow | MaintenanceExclusion, str, str]]:
    """Every moment with the part and the field that it stands in."""
    for each in spans(maintenance):
        yield each, "start", each.start
        if each.end is not UNSET:
            yield each, "end", each.end
