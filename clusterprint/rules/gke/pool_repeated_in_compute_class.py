from collections.abc import Iterator

from clusterprint.blueprint.gke.compute_classes import ComputeClass
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated_values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE053", severity=Severity.ERROR, source="Google Cloud: about custom compute classes in GKE")
def pool_repeated_in_compute_class(compute_class: ComputeClass, context: Context) -> Iterator[Finding]:
    """A compute class names a pool twice.

    The pools of a class are tried one after the other; a second try of the same pool does nothing. Perhaps
    another pool was meant.

    Remove one of them.
    """
    yield from repeated_values(
        compute_class,
        "prefer",
        context,
        lambda pool: f"compute class {compute_class.name} prefers pool {pool} twice",
        first="first preferred here",
        help="remove one of them",
    )
