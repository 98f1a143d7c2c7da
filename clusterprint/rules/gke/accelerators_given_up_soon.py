from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.derived.durations import seconds
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule

_LEAST = 30 * 60


@rule("GKE057", severity=Severity.WARNING, source="Terraform provider google: issues 6287 and 10823")
def accelerators_given_up_soon(pool: NodePool, context: Context) -> Iterator[Finding]:
    """The creation timeout of an accelerator pool is too short.

    Accelerators are scarce, and it can take an hour to get the first nodes of a pool. After a timeout the
    pool is left half created, and must be deleted manually.

    Remove `create_timeout`, or write at least 30m.
    """
    if not given(pool.create_timeout) or not node_pools.is_accelerated(pool):
        return
    if seconds(pool.create_timeout) < _LEAST:
        yield Finding(
            f"Terraform gives up on pool {pool.name} after {pool.create_timeout}, "
            "but accelerators are scarce",
            context.at(pool, "create_timeout"),
            also=(machine_label(pool, context),),
            help="remove create_timeout, or write 30m or more",
        )
