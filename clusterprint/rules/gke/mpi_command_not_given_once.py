from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE100", severity=Severity.ERROR, source="Open MPI: mpirun", firm=True)
def mpi_command_not_given_once(job: MpiJob, context: Context) -> Iterator[Finding]:
    """An MPI job has no command, or two.

    `command` is a program that a generated mpirun starts; `launcher_command` replaces all of that.
    `mpirun_options` are for the generated mpirun.

    Keep `command`, with `mpirun_options` if need be, or keep `launcher_command`.
    """
    if not job.command and not job.launcher_command:
        yield Finding(
            f"MPI job {job.name} has no command",
            context.at_key(job),
            help="write the program and its arguments: `command: [xhpl]`",
        )
    elif job.launcher_command:
        for field in ("command", "mpirun_options"):
            if getattr(job, field):
                yield Finding(
                    f"MPI job {job.name} has {field} and launcher_command, which replaces it",
                    context.at_key(job, field),
                    also=(context.at_key(job, "launcher_command", text="what the launcher runs"),),
                    help="keep one of the two",
                )
