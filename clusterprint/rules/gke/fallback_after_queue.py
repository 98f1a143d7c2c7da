from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE300", severity=Severity.NOTE)
def fallback_after_queue(pool: NodePool, context: Context) -> Iterator[Finding]:
    models = [each.model for each in (pool.capacity, *pool.capacity.fallbacks)]
    if "flex_start" in models[:-1]:
        later = pool.capacity.fallbacks[models.index("flex_start")]
        yield Finding(
            f"up never tries this fallback: pool {pool.name} with flex_start is created without any nodes",
            context.at(later),
            help="put flex_start last, or use a compute class of two pools",
        )
