from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE370", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def secret_repeated(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """A secret is listed twice.

    Workloads name secrets, so a name stands for one of them: two entries would contradict each other, and two
    that create it would fail on the second.

    Remove one of them. Give a regional secret and a global one different names.
    """
    yield from repeated(
        blueprint.secrets,
        context,
        lambda secret: f"secret {secret.name} is listed twice",
        first="first listed here",
        help="remove one of them, or give it another name",
    )
