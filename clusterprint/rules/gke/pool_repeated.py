from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE046", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def pool_repeated(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """Two node pools have the same name.

    A pool is known by its name, in the cluster and in the Terraform state; compute classes and workloads name
    pools by it.

    Give one of them another name.
    """
    first: dict[str, NodePool] = {}
    for pool, name in known(blueprint.node_pools, lambda each: each.name):
        before = first.setdefault(name, pool)
        if before is not pool:
            yield Finding(
                f"there are two node pools called {name}",
                context.at(pool, "name"),
                also=(context.at(before, "name", text="the first one"),),
                help="give one of them another name",
            )
