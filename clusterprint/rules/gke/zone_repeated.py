from collections.abc import Iterator

from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated_values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE011", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def zone_repeated(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A zone of the pool is listed twice.

    Nodes are counted per zone; a zone that counts twice would make half of the number wrong.

    Remove one of them, or name the zone that was meant.
    """
    yield from repeated_values(
        pool,
        "zones",
        context,
        lambda zone: f"zone {zone} is listed twice",
        help="remove one of them, or name the zone that was meant",
    )
