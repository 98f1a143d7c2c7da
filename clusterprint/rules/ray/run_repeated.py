from itertools import islice

from clusterprint.blueprint.ray.jobs import NCCL_TEST
from clusterprint.blueprint.ray.ray import Ray
from clusterprint.rules._repeated import repeated
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("RAY040", severity=Severity.ERROR, source="Kubernetes: object names", firm=True)
def run_repeated(ray: Ray, context: Context) -> Iterator[Finding]:
    """Two jobs, or two services, have the same name.

    Their runs are identified by it.

    Give each a name of its own.
    """
    yield from repeated(
        ray.jobs, context, lambda job: f"two jobs are called {job.name}", first="", help=_HELP
    )
    yield from repeated(
        ray.services, context, lambda service: f"two services are called {service.name}", first="", help=_HELP
    )
    if given(ray.nccl_test):
        named_so = (job for job, name in known(ray.jobs, lambda job: job.name) if name == NCCL_TEST)
        for job in islice(named_so, 1):  # of several, the others are repeated
            yield Finding(
                f"a job cannot be called {NCCL_TEST}: nccl_test creates one of that name",
                context.at(job, "name"),
                help="give it another name",
            )


_HELP = "give each a name of its own"
