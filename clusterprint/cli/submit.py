"""`clusterprint submit`: submit work to a running cluster."""

import sys

import click

from clusterprint.cli import cluster_access
from clusterprint.cli.dashboard import PORT
from clusterprint.cli.output import say
from clusterprint.errors import UsageError


@click.command("submit")
@cluster_access.target
@click.argument("program", nargs=-1, metavar="[JOB | -- PROGRAM...]")
@click.option("--file", metavar="FILE", help="Kind gke: objects to create, such as an MPIJob or a JobSet.")
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
    folder: str,
    port: int | None,
    outcome: str | None,
    prints: bool,
) -> None:
    """Run a job again, or submit work.

    Submitted is a program to Ray or a file to Kubernetes. CLUSTER is a name or a blueprint's file.
    CLUSTER/JOB (or CLUSTER JOB) runs that job of the blueprint again, as deployed, and prints the new run's
    name: an MPI job, a JobSet, a TrainJob or a Ray job. For kind ray, a program goes to `ray job submit`
    through a port-forward; it follows the log, and exits as the job does. For kind gke, --file is kubectl
    create: give each run a name of its own, or generateName. A simulated cloud runs nothing, and goes through
    the states of a run: the first is pending, and commands that ask for it let time pass.
    """
    cluster_access.check_outcome(reached, outcome)
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
