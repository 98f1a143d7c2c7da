from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import cooperation
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM109", severity=Severity.ERROR, source="Open MPI: launching with ssh", firm=True)
def run_without_ssh(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """MPI is used, but SSH between nodes is off.

    mpirun starts the processes on other nodes by SSH.

    Remove `ssh: false`.
    """
    said = blueprint.cluster.ssh
    if given(said) and not said and cooperation.has_mpi(blueprint):
        yield Finding(
            "MPI starts processes on other nodes by SSH, which is disabled",
            context.at(blueprint.cluster, "ssh"),
            help="remove ssh: false",
        )
