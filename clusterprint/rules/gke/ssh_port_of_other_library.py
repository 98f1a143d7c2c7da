from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_SSH = 22


@rule("GKE162", severity=Severity.ERROR, source="MPI operator: environment of launchers", firm=True)
def ssh_port_of_other_library(job: MpiJob, context: Context) -> Iterator[Finding]:
    """A generated mpirun of Intel MPI or MPICH has an SSH port other than 22.

    The MPI operator sets the arguments of SSH for these libraries itself, and a port cannot be added to them.
    Open MPI has a setting of its own for the SSH that it runs.

    Let the SSH server of the image listen on port 22, or write a `launcher_command` that sets the port.
    """
    if job.ssh_port != _SSH and job.implementation != "open_mpi" and job.command:
        yield Finding(
            f"mpirun of {'Intel MPI' if job.implementation == 'intel' else 'MPICH'} cannot use SSH "
            f"port {job.ssh_port}",
            context.at(job, "ssh_port"),
            also=(context.at(job, "implementation", text="the MPI library"),),
            help="remove ssh_port, or write launcher_command instead of command",
        )
