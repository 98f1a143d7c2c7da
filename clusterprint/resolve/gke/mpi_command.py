"""The command of the launcher of an MPI job."""

from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.plan.kubernetes import FabricPlan
from clusterprint.resolve.gke.fabrics import sourced

# The first interface of every pod.
PRIMARY_INTERFACE = "eth0"


def launcher_command(
    job: MpiJob, processes: int, env: dict[str, str], fabric: FabricPlan | None
) -> tuple[str, ...]:
    """The command as given, or mpirun with so many processes in front of the program."""
    if job.launcher_command:
        return job.launcher_command
    return (
        "mpirun",
        *_as_root(job),
        "-np",
        str(processes),
        *_environment(job, tuple(env)),
        *_interface(job, fabric),
        *job.mpirun_options,
        *sourced(job.command, fabric),
    )


def _as_root(job: MpiJob) -> tuple[str, ...]:
    """Open MPI refuses to run as root until it is told that this is meant; in a container it is."""
    return ("--allow-run-as-root",) if job.implementation == "open_mpi" and job.ssh_user == "root" else ()


def _environment(job: MpiJob, names: tuple[str, ...]) -> tuple[str, ...]:
    """Hand variables on: what is set in a container is not set in a shell that SSH opens there."""
    if not names:
        return ()
    if job.implementation == "open_mpi":
        return tuple(word for name in names for word in ("-x", name))
    return ("-genvlist", ",".join(names))


def _interface(job: MpiJob, fabric: FabricPlan | None) -> tuple[str, ...]:
    """Keep Open MPI's own connections off the networks between GPUs, which reach no other pods.

    A second network that is open to all carries messages, too; the launcher has no interface there. What the
    job says of a layer, in an option or in a variable, is left alone: Open MPI refuses to be told both which
    interfaces to include and which to exclude, wherever the two stand.
    """
    if job.implementation != "open_mpi" or not fabric:
        return ()
    said = " ".join((*job.mpirun_options, *job.env))
    others = range(1, len(fabric.networks) + 1) if fabric.open_to_all else ()
    messages = ",".join((PRIMARY_INTERFACE, *(f"eth{number}" for number in others)))
    return tuple(
        word
        for layer, interfaces in (("btl_tcp", messages), ("oob_tcp", PRIMARY_INTERFACE))
        if f"{layer}_if_" not in said
        for word in ("--mca", f"{layer}_if_include", interfaces)
    )
