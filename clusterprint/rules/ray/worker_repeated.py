from collections.abc import Iterator

from clusterprint.blueprint.ray.ray import Ray, Worker
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("RAY004", severity=Severity.ERROR, source="KubeRay: worker group names", firm=True)
def worker_repeated(ray: Ray, context: Context) -> Iterator[Finding]:
    """Two groups of workers have the same name.

    KubeRay tells groups apart by their names, and refuses the Ray cluster.

    Give each group a name of its own.
    """
    first: dict[str, Worker] = {}
    for worker, name in known(ray.workers, lambda each: each.name):
        other = first.setdefault(name, worker)
        if other is not worker:
            yield Finding(
                f"there are two groups of workers called {name}",
                context.at(worker, "name"),
                also=(context.at(other, "name", text="the first one"),),
                help="give each a name of its own",
            )
