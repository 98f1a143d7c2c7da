from collections.abc import Iterator

from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE011", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def zone_repeated(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A zone of the pool is listed twice.

    Nodes are counted per zone; a zone that counts twice would make half of the number wrong.

    Remove one of them, or name the zone that was meant.
    """
    first: dict[str, int] = {}
    for index, zone in values(pool, "zones"):
        before = first.setdefault(zone, index)
        if before != index:
            yield Finding(
                f"zone {zone} is listed twice",
                context.at(pool, "zones", index),
                also=(context.at(pool, "zones", before, text="first listed here"),),
                help="remove one of them, or name the zone that was meant",
            )
