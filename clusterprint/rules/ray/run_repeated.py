from collections.abc import Iterator

from clusterprint.blueprint.ray.jobs import NCCL_TEST, RayJob, RayService
from clusterprint.blueprint.ray.ray import Ray
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("RAY040", severity=Severity.ERROR, source="Kubernetes: object names", firm=True)
def run_repeated(ray: Ray, context: Context) -> Iterator[Finding]:
    """Two jobs, or two services, have the same name.

    Their runs are told apart by it.

    Give each a name of its own.
    """
    kinds: tuple[tuple[RayJob | RayService, ...], ...] = (ray.jobs, ray.services)
    for items in kinds:
        first: dict[str, RayJob | RayService] = {}
        for each, name in known(items, lambda item: item.name):
            other = first.setdefault(name, each)
            if other is not each or (items is ray.jobs and name == NCCL_TEST and given(ray.nccl_test)):
                yield Finding(
                    f"there are two called {name}",
                    context.at(each, "name"),
                    help="give each a name of its own",
                )
