from collections.abc import Iterator

from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE044", severity=Severity.ERROR, source="Kubernetes: taints and tolerations")
def taint_repeated(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A taint is listed twice with the same key and effect.

    A node has one taint of a key and an effect; GKE refuses the pool.

    Remove one of them.
    """
    yield from repeated(
        pool.taints,
        context,
        lambda taint: f"the taint {taint.key} with effect {taint.effect} is listed twice",
        key=lambda taint: (taint.key, taint.effect),
        field="key",
        first="first listed here",
        help="remove one of them",
    )
