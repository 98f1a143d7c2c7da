from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.diagnostic import Label
from clusterprint.rules.gke._keys import COMPUTE_CLASS
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE043", severity=Severity.ERROR)
def compute_class_by_hand(pool: NodePool, context: Context) -> Iterator[Finding]:
    if COMPUTE_CLASS in pool.node_labels:
        yield _finding(pool, context.at_key(pool, "node_labels", COMPUTE_CLASS))
    for taint, key in known(pool.taints, lambda each: each.key):
        if key == COMPUTE_CLASS:
            yield _finding(pool, context.at(taint, "key"))


def _finding(pool: NodePool, place: Label) -> Finding:
    return Finding(
        f"pool {pool.name} belongs to a compute class by being named in it, not by {COMPUTE_CLASS}",
        place,
        help="name the pool in prefer of a compute class, and remove this",
    )
