"""The budget of a cluster, against the cost of all machines and storage that it may have."""

from collections.abc import Iterator

from msgspec import structs

from clusterprint.derived import durations
from clusterprint.derived.durations import HOURS_OF_A_MONTH
from clusterprint.review.causes import place_of
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.cost import cost
from clusterprint.review.delta import get
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About
from clusterprint.review.stored import stored_of
from clusterprint.words import listed


def budget(scene: ComparedCluster) -> Iterator[Risk]:
    """A changed cluster that may cost more in a month than its budget, or until its end if that is sooner."""
    document = scene.after
    limit = get(document.data, "budget.per_month") if document else None
    if document is None or not limit or not scene.is_compared:
        return
    before = get(scene.before.data, "budget.per_month") if scene.before else None
    if scene.status == "unchanged" and before == limit:
        return
    found = cost(
        {scene.name: ((), scene.machines_after)}, stored={scene.name: ((), stored_of(scene.resources_after))}
    )
    hours = durations.seconds(scene.ends) / 3600 if scene.ends else HOURS_OF_A_MONTH
    monthly = found.per_month if found.per_month is not None else found.known_per_hour * HOURS_OF_A_MONTH
    total = monthly * min(1, hours / HOURS_OF_A_MONTH)
    if total <= limit:
        return
    unpriced = f", without {listed(found.without_price, 'and')}" if found.without_price else ""
    message = f"may cost ${total:,.2f} a month at list prices{unpriced}; its budget is ${limit:,.2f}"
    place = structs.replace(place_of(document, ("budget", "per_month")), side="head")
    help_text = "have fewer nodes, or a higher budget"
    yield About(scene).risk("over_budget", "high", message, help=help_text, place=place)
