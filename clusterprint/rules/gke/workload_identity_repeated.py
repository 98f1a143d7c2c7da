from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE090", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def workload_identity_repeated(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """A service account of the cluster is listed twice.

    Its rights belong in one place; with two entries it is hard to see what is granted.

    Merge the two entries into one.
    """
    yield from repeated(
        blueprint.workload_identity,
        context,
        lambda each: f"service account {each.name} of namespace {each.namespace} is listed twice",
        key=lambda each: (each.namespace, each.name),
        first="first listed here",
        help="merge the two entries into one",
    )
