from collections.abc import Iterator

from clusterprint.blueprint.gke.mpi import Mpi
from clusterprint.diagnostic import Severity
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE108", severity=Severity.ERROR, source="The blueprint language: names in a list", firm=True)
def mpi_job_repeated(mpi: Mpi, context: Context) -> Iterator[Finding]:
    """Two MPI jobs have the same name.

    A job is identified by its name, in the cluster and in the Terraform state.

    Give one of them another name. To run the same job again, change its `run`.
    """
    yield from repeated(
        mpi.jobs,
        context,
        lambda job: f"there are two MPI jobs called {job.name}",
        help="give one of them another name; to run a job again, change its run",
    )
