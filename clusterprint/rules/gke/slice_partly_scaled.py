from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.gke._tpus import slice_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE026", severity=Severity.ERROR, source="XPK: autoscaling of TPU node pools")
def slice_partly_scaled(pool: NodePool, context: Context) -> Iterator[Finding]:
    """The bounds of autoscaling allow a part of a TPU slice.

    The machines of a slice work together and are created together: a pool has all of them or none.

    Write `min: 0` or the whole number, and the whole number as `max`. For more slices write `slices`.
    """
    found = slice_of(pool)
    if found is None or not found.spans_hosts or not given(pool.autoscaling):
        return
    scaling, nodes = pool.autoscaling, found.nodes
    if scaling.max != nodes:
        wrong, number = "max", scaling.max
    elif scaling.min not in (0, nodes):
        wrong, number = "min", scaling.min
    else:
        return
    yield Finding(
        f"a slice {found.topology} has {nodes} nodes or none, so {wrong} cannot be {number}",
        context.at(scaling, wrong),
        also=(context.at(pool, "tpu", "topology", text="the topology"),),
        help=f"write autoscaling: {{min: 0, max: {nodes}}}",
    )
