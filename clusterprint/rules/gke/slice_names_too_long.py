from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import names, node_pools
from clusterprint.derived.name_forms import GKE
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE048", severity=Severity.ERROR, firm=True)
def slice_names_too_long(pool: NodePool, context: Context) -> Iterator[Finding]:
    number = node_pools.slices(pool)
    last = names.slice_pool(pool.name, number - 1)
    if number > 1 and not GKE.accepts(last):
        yield Finding(
            f"the last slice of the pool would be called {last}, with {len(last)} characters",
            context.at(pool, "name"),
            also=(context.at(pool, "tpu", "slices", text=f"{number} slices"),),
            help=f"use at most {GKE.longest - len(last) + len(pool.name)} characters",
        )
