from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE046", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def pool_repeated(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """Two node pools have the same name.

    A pool is identified by its name, in the cluster and in the Terraform state; compute classes and workloads
    name pools by it.

    Give one of them another name.
    """
    yield from repeated(
        blueprint.node_pools,
        context,
        lambda pool: f"there are two node pools called {pool.name}",
        help="give one of them another name",
    )
