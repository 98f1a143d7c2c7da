from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule(
    "GKE001",
    severity=Severity.ERROR,
    source="Terraform provider google: google_container_node_pool",
    firm=True,
)
def count_and_autoscaling(pool: NodePool, context: Context) -> Iterator[Finding]:
    """The pool has a fixed number of nodes and autoscaling at the same time.

    Either you decide how many nodes run, or the cluster does. Terraform refuses a pool with both.

    Keep `count` for a fixed number of nodes, or `autoscaling` for a number that follows the work.
    """
    if given(pool.count) and given(pool.autoscaling):
        yield Finding(
            f"pool {pool.name} has a count of {pool.count} and autoscaling",
            context.at(pool, "count"),
            also=(context.at_key(pool, "autoscaling", text="the cluster decides"),),
            help="remove one of the two",
        )
