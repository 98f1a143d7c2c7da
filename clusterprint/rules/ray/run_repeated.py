from collections.abc import Iterator
from itertools import islice

from clusterprint.blueprint.ray.jobs import NCCL_TEST, RayJob, RayService
from clusterprint.blueprint.ray.ray import Ray
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("RAY040", severity=Severity.ERROR, source="Kubernetes: object names", firm=True)
def run_repeated(ray: Ray, context: Context) -> Iterator[Finding]:
    """Two jobs, or two services, have the same name.

    Their runs are identified by it.

    Give each a name of its own.
    """
    yield from repeated(ray.jobs, context, _words, first="", help=_HELP)
    yield from repeated(ray.services, context, _words, first="", help=_HELP)
    if given(ray.nccl_test):
        named_so = (job for job, name in known(ray.jobs, lambda job: job.name) if name == NCCL_TEST)
        for job in islice(named_so, 1):  # of several, the others are repeated
            yield Finding(_words(job), context.at(job, "name"), help=_HELP)


_HELP = "give each a name of its own"


def _words(run: RayJob | RayService) -> str:
    return f"there are two called {run.name}"
