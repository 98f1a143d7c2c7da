from collections.abc import Iterator

from clusterprint.blueprint.gke.pools import NodePool, Taint
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE044", severity=Severity.ERROR, source="Kubernetes: taints and tolerations")
def taint_repeated(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A taint is listed twice with the same key and effect.

    A node has one taint of a key and an effect; GKE refuses the pool.

    Remove one of them.
    """
    first: dict[tuple[str, str], Taint] = {}
    for taint, key in known(pool.taints, lambda each: (each.key, each.effect)):
        before = first.setdefault(key, taint)
        if before is not taint:
            yield Finding(
                f"the taint {taint.key} with effect {taint.effect} is listed twice",
                context.at(taint, "key"),
                also=(context.at(before, "key", text="first listed here"),),
                help="remove one of them",
            )
