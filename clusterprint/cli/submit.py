"""`clusterprint submit`: submit work to a running cluster."""

import sys
from contextlib import suppress
from pathlib import Path

import click

from clusterprint.cli import cluster_access
from clusterprint.cli.dashboard import PORT
from clusterprint.cli.output import say
from clusterprint.errors import UsageError

# Bytes: max_script_size of Slurm, unless an administrator has changed it.
_MOST = 4 << 20


@click.command("submit")
@cluster_access.target
@click.argument("program", nargs=-1, metavar="[JOB | -- PROGRAM...]")
@click.option(
    "--file",
    metavar="FILE",
    help="Kind gke: objects to create, such as an MPIJob or a JobSet. With Slurm: a batch script.",
)
@click.option("--wrap", metavar="COMMAND", help="With Slurm: a command to run as a batch job.")
@click.option(
    "--working-dir",
    "folder",
    default="",
    metavar="DIR",
    help="Kind ray: a folder that goes with the program.",
)
@PORT
@cluster_access.OUTCOME
def submit(  # noqa: PLR0913 - click passes options
    program: tuple[str, ...],
    *,
    reached: cluster_access.Reached,
    file: str | None,
    wrap: str | None,
    folder: str,
    port: int | None,
    outcome: str | None,
    prints: bool,
) -> None:
    """Run a job again, or submit work.

    It submits a program to Ray, a file to Kubernetes, or a script or command to Slurm. CLUSTER is a name or a
    blueprint's file. CLUSTER/JOB (or CLUSTER JOB) runs that job of the blueprint again, as deployed, and
    prints the new run's name: an MPI job, a JobSet, a TrainJob or a Ray job. For kind ray, a program goes to
    `ray job submit` through a port-forward; it follows the log, and exits as the job does. For kind gke,
    --file is kubectl create: give each run a name of its own, or generateName. With Slurm,
    --file or --wrap goes to `sbatch`, of kind gke in the login pod if the file is a script; words after --
    are its options, such as --nodes=2. A
    simulated cloud runs nothing, and goes through the states of a run: the first is pending, and commands
    that ask for it let time pass.
    """
    cluster_access.check_outcome(reached, outcome)
    if _is_for_slurm(reached, file, wrap):
        if folder or reached.part:
            raise UsageError("Slurm takes a script or a command, and options of sbatch after --")
        _to_slurm(reached, program, (file, wrap), outcome, prints=prints)
        return
    if job := _job(reached, program):
        if file or folder or (reached.part and program):
            raise UsageError(
                f"{job} runs again as it is: it cannot be combined with a program, a file or a folder"
            )
        _run_again(reached, job, outcome, prints=prints)
        return
    from clusterprint.access import inside
    from clusterprint.plan.ray.ray import RayPlan

    of = inside.inside(reached.plans)
    if isinstance(of.content, RayPlan):
        if file or not program:
            raise UsageError("give Ray a program: clusterprint submit CLUSTER -- python train.py")
        forward = inside.dashboard(of, port or 0)
        command = inside.ray_submit(forward.url, folder, program)
        if prints:
            say(f"{forward.text}\n{command.text}")
            return
        if reached.simulate is not None:  # nothing is forwarded there
            reached.go(command, prints=False, outcome=outcome)
        sys.exit(cluster_access.through(forward, command))
    if not file or program or folder:
        raise UsageError(
            "give Kubernetes a job of the blueprint (clusterprint submit CLUSTER JOB), or a file: "
            "clusterprint submit CLUSTER --file JOB.yaml"
        )
    reached.go(inside.apply(of, file), prints=prints, outcome=outcome)


def _is_for_slurm(reached: cluster_access.Reached, file: str | None, wrap: str | None) -> bool:
    """Whether it is Slurm that takes work there. Raises UsageError for a command without it.

    Beside Slurm, Kubernetes takes files that are no scripts.
    """
    from clusterprint.access import slurm

    plan, first = slurm.plan_with(reached.plans), reached.plans[0]
    if plan is None and isinstance(first, slurm.Machines) and first.slurm is not None:
        raise UsageError(
            "SSH does not reach the controller of Slurm from here: log in there, and use sbatch "
            "(kind vm: network.ssh_source_ranges; kind vmss: head_node.public_ip)"
        )
    if wrap is not None and plan is None:
        raise UsageError(
            "--wrap is for machines of kinds vm and vmss with bootstrap.slurm, which SSH reaches, and for "
            "kind gke with workloads.slurm"
        )
    if plan is None or isinstance(plan, slurm.Machines):
        return plan is not None
    return wrap is not None or (file is not None and _starts(Path(file)) == b"#!")


def _starts(file: Path) -> bytes:
    """The first two bytes of a file, or none."""
    with suppress(OSError), file.open("rb") as stream:
        return stream.read(2)
    return b""


def _to_slurm(
    reached: cluster_access.Reached,
    options: tuple[str, ...],
    work: tuple[str | None, str | None],
    outcome: str | None,
    *,
    prints: bool,
) -> None:
    """Submit work: a script or a command. Raises UsageError for what `sbatch` would refuse."""
    from clusterprint.access import slurm

    file, wrap = work
    if (file is None) == (wrap is None):
        raise UsageError("give Slurm a script (--file train.sbatch) or a command (--wrap 'srun hostname')")
    if wrap is not None and not wrap.strip():
        raise UsageError("--wrap is empty: give it a command, such as 'srun hostname'")
    if wrong := next((each for each in options if not each.startswith("-")), ""):
        raise UsageError(
            f"{wrong} is no option of sbatch: write --name=value, and the program in --file or --wrap"
        )
    if any(each.partition("=")[0] == "--wrap" for each in options):
        raise UsageError("--wrap is an option of this command: write it before --")
    script = None if file is None else _script(Path(file))
    plan = slurm.plan_with(reached.reachable())
    assert plan is not None  # noqa: S101 - the caller looks
    reached.go(slurm.submit(plan, options, wrap), prints=prints, outcome=outcome, script=script)


def _script(file: Path) -> Path:
    """A batch script as Slurm takes it. Raises UsageError."""
    try:
        if not file.is_file():
            raise UsageError(f"{file} is not a file")
        with file.open("rb") as stream:
            first = stream.read(2)
        size = file.stat().st_size
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from error
    if first != b"#!":
        raise UsageError(f"{file} is no script: its first line names no interpreter, such as #!/bin/bash")
    if size > _MOST:
        raise UsageError(f"{file} has {size:,} bytes, and Slurm takes scripts of at most {_MOST:,}")
    return file


def _job(reached: cluster_access.Reached, program: tuple[str, ...]) -> str:
    """The job that is meant, or an empty text.

    One word is a program only where no job is called so.
    """
    from clusterprint.access.jobs import jobs_of

    word = program[0] if len(program) == 1 else ""
    return reached.part or (word if word in jobs_of(reached.plans) else "")


def _run_again(reached: cluster_access.Reached, job: str, outcome: str | None, *, prints: bool) -> None:
    from clusterprint.access import inside, jobs
    from clusterprint.results import Kubectl

    of = inside.inside(reached.plans)
    known = jobs.jobs_of(reached.plans)
    if job not in known:
        names = f"the jobs are {', '.join(known)}" if known else "it has none"
        raise UsageError(f"there is no job {job!r} in the blueprint; {names}")
    namespace, run = known[job]
    context, login = of.context.partition("=")[2], inside.kubeconfig(of).text
    login = login if reached.simulate is None else reached.creation
    kubectl = Kubectl(context=context, namespace=namespace, login=login)
    if prints:
        say(jobs.again_text(kubectl, run, job))
        return
    with cluster_access.programs(reached.simulate, outcome) as environment:
        say(jobs.run_again(kubectl.within(environment), run, job))
