from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import names, node_pools
from clusterprint.derived.name_forms import GKE
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE048", severity=Severity.ERROR, source="Google Cloud: names of GKE node pools", firm=True)
def slice_names_too_long(pool: NodePool, context: Context) -> Iterator[Finding]:
    """The name of a pool leaves no room for the numbers of its slices.

    Each slice is a node pool of its own, with a number after the name, and names of node pools have 40
    characters at most.

    Shorten the name.
    """
    number = node_pools.slices(pool)
    last = names.slice_pool(pool.name, number - 1)
    if number > 1 and not GKE.accepts(last):
        yield Finding(
            f"the last slice of the pool would be called {last}, with {len(last)} characters",
            context.at(pool, "name"),
            also=(context.at(pool, "tpu", "slices", text=f"{number} slices"),),
            help=f"use at most {GKE.longest - len(last) + len(pool.name)} characters",
        )
