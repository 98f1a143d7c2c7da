from collections.abc import Iterator

from clusterprint.blueprint.ray.ray import Ray
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("RAY004", severity=Severity.ERROR, source="KubeRay: worker group names", firm=True)
def worker_repeated(ray: Ray, context: Context) -> Iterator[Finding]:
    """Two groups of workers have the same name.

    KubeRay tells groups apart by their names, and refuses the Ray cluster.

    Give each group a name of its own.
    """
    yield from repeated(
        ray.workers,
        context,
        lambda worker: f"there are two groups of workers called {worker.name}",
        help="give each a name of its own",
    )
