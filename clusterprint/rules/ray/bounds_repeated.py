from collections.abc import Iterator

from clusterprint.blueprint.ray.jobs import RayJob, RayService
from clusterprint.blueprint.ray.ray import Ray
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("RAY074", severity=Severity.ERROR, source="KubeRay: worker group names", firm=True)
def bounds_repeated(ray: Ray, context: Context) -> Iterator[Finding]:
    """A job or a service sets the number of workers of a group twice.

    Its Ray cluster has each group once, so one of the two would do nothing.

    Keep one of them, with `min` and `max`.
    """
    runs: tuple[RayJob | RayService, ...] = (*ray.jobs, *ray.services)
    for _, said in known(runs, lambda run: run.workers):
        yield from repeated(
            said,
            context,
            lambda bounds: f"the number of workers {bounds.name} is set twice",
            help="keep one, with min and max",
        )
