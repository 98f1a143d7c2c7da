from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.gke._tpus import slice_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GKE027",
    severity=Severity.ERROR,
    source="Cluster Toolkit, XPK and TPU Provisioner: shapes of TPU slices",
    firm=True,
)
def slice_in_several_zones(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A TPU slice has several zones.

    The chips of a slice are wired to each other, in one building.

    Keep one zone; for slices in other zones add other pools.
    """
    found = slice_of(pool)
    if found and found.spans_hosts and len(set(pool.zones)) > 1:
        yield Finding(
            f"a slice {found.topology} is in one zone, not in {len(set(pool.zones))}",
            context.at(pool, "zones"),
            also=(context.at(pool, "tpu", "topology", text="the topology"),),
            help="keep one zone, and add another pool for another zone",
        )
