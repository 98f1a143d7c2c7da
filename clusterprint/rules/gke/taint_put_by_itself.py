from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE042", severity=Severity.WARNING)
def taint_put_by_itself(pool: NodePool, context: Context) -> Iterator[Finding]:
    automatic = {
        "nvidia.com/gpu": node_pools.has_gpus(pool),
        "google.com/tpu": node_pools.tpu(pool) is not None,
    }
    for taint, key in known(pool.taints, lambda each: each.key):
        if automatic.get(key):
            yield Finding(
                f"the taint {key} is added to pool {pool.name} automatically",
                context.at(taint, "key"),
                also=(machine_label(pool, context),),
                help="remove it",
            )
