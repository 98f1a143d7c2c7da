from collections.abc import Iterator

from clusterprint.blueprint.gke.mpi import Mpi, MpiJob
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE108", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def mpi_job_repeated(mpi: Mpi, context: Context) -> Iterator[Finding]:
    """Two MPI jobs have the same name.

    A job is known by its name, in the cluster and in the Terraform state.

    Give one of them another name. To run the same job again, change its `run`.
    """
    first: dict[str, MpiJob] = {}
    for job, name in known(mpi.jobs, lambda each: each.name):
        before = first.setdefault(name, job)
        if before is not job:
            yield Finding(
                f"there are two MPI jobs called {name}",
                context.at(job, "name"),
                also=(context.at(before, "name", text="the first one"),),
                help="give one of them another name; to run a job again, change its run",
            )
