from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import names, node_pools
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE047", severity=Severity.ERROR, firm=True)
def pool_name_taken(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    taken = dict(_taken(blueprint, context))
    for pool, name in known(blueprint.node_pools, lambda each: each.name):
        if name in taken:
            what, also = taken[name]
            yield Finding(
                f"a node pool cannot be called {name}: {what} is",
                context.at(pool, "name"),
                also=also,
                help="give it another name",
            )


def _taken(
    blueprint: KubernetesBlueprint, context: Context
) -> Iterator[tuple[str, tuple[str, tuple[Label, ...]]]]:
    yield node_pools.SYSTEM_POOL, ("the system pool", ())
    slices = known(blueprint.node_pools, lambda each: (each.name, node_pools.slices(each)))
    for pool, (name, number) in slices:
        if number > 1:
            also = (context.at(pool, "tpu", "slices", text=f"{number} pools"),)
            for index in range(number):
                yield names.slice_pool(name, index), (f"a slice of pool {name}", also)
