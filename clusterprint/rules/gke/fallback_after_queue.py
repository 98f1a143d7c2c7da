from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE300", severity=Severity.NOTE, source="GKE: flex-start provisioning")
def fallback_after_queue(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A pool has a fallback after one with flex_start, which `up` never tries.

    A pool with flex_start has no nodes at first: it is always created, and its nodes come with the work. That
    there is no capacity is seen by the pods that wait, not by `up`.

    Put flex_start last. For pods that should start on other nodes meanwhile, list both pools in a compute
    class.
    """
    models = [each.model for each in (pool.capacity, *pool.capacity.fallbacks)]
    if "flex_start" in models[:-1]:
        later = pool.capacity.fallbacks[models.index("flex_start")]
        yield Finding(
            f"up never tries this fallback: pool {pool.name} with flex_start is created without any nodes",
            context.at(later),
            help="put flex_start last, or use a compute class of two pools",
        )
