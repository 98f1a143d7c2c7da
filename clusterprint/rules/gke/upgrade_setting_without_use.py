from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_OF_SURGE = ("max_surge", "max_unavailable")


@rule("GKE085", severity=Severity.WARNING, source="Google Cloud: node upgrade strategies in GKE")
def upgrade_setting_without_use(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A setting of upgrades does nothing.

    Flex-start nodes are never upgraded, and each strategy has settings of its own: `max_surge` and
    `max_unavailable` for surge, `blue_green` for blue-green.

    Remove the setting, or change the strategy.
    """
    upgrades = pool.upgrades
    fields: tuple[str, ...] = ("strategy", *_OF_SURGE, "blue_green")
    if pool.capacity.model == "flex_start":
        why = "flex_start nodes are never upgraded"
    elif upgrades.strategy == "surge":
        fields, why = ("blue_green",), "the strategy is surge"
    else:
        fields, why = _OF_SURGE, "the strategy is blue_green"
    for field in fields:
        if context.wrote(upgrades, field):
            yield Finding(
                f"upgrades.{field} of pool {pool.name} does nothing: {why}",
                context.at_key(upgrades, field),
                help=f"remove {field}",
            )
