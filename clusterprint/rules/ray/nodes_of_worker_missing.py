from collections.abc import Iterator, Sequence

from clusterprint.blueprint.gke.compute_classes import ComputeClass
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Worker
from clusterprint.derived import existing
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import nearest


@rule(
    "RAY002", severity=Severity.ERROR, source="Google Cloud: about custom compute classes in GKE", firm=True
)
def nodes_of_worker_missing(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    """A group of workers names a node pool or a compute class that does not exist.

    Its pods would wait for nodes that never come.

    Name a pool or a class of this blueprint.
    """
    places: tuple[tuple[str, Sequence[NodePool | ComputeClass], str], ...] = (
        ("pool", existing.pools(context.blueprint), "node pool"),
        ("compute_class", context.blueprint.compute_classes, "compute class"),
    )
    for field, items, what in places:
        wanted = getattr(worker, field)
        names = [name for _, name in known(items, lambda each: each.name)]
        if not given(wanted) or wanted in names or len(names) < len(items):
            continue
        meant = nearest(wanted, names)
        help_text = did_you_mean(meant) or f"add it to {what.replace(' ', '_').rstrip('s')}s"
        if not meant and names:
            help_text = f"there is {listed(names, 'and')}"
        yield Finding(
            f"there is no {what} {wanted}", context.at(worker, field), help=help_text, instead=meant
        )
