"""`clusterprint logs`: the logs of nodes and jobs."""

import click

from clusterprint.cli import cluster_access
from clusterprint.errors import UsageError


@click.command("logs")
@cluster_access.target
@click.option("--follow", "-f", is_flag=True, help="Follow the output, until Ctrl-C.")
@click.option(
    "--lines",
    "-n",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="Number of last lines.",
)
@click.option("--serial", is_flag=True, help="Kind vm: the node's console instead of the log of its setup.")
def logs(
    *,
    reached: cluster_access.Reached,
    follow: bool,
    lines: int,
    serial: bool,
    prints: bool,
) -> None:
    """Print the log of a node or job.

    CLUSTER is a name or a blueprint's file. PART is a node of kind vm or vmss: the log of its setup; the id
    of a job of Slurm, whose output the controller has to see; or a job of kind gke or ray. Left out, it is
    the first node or the only job; of kind ray, the head. Logs of a simulated cloud say that they are
    simulated.
    """
    from clusterprint.access import inside, machines, slurm
    from clusterprint.cli.azure_outputs import connect
    from clusterprint.plan.vm import VmPlan
    from clusterprint.plan.vmss import VmssPlan

    first = reached.plans[0]
    if serial and not isinstance(first, VmPlan):
        raise UsageError("--serial is for kind vm")
    if any(slurm.names_job(each, reached.part) for each in reached.plans) and not serial:
        plan = slurm.plan_with(reached.reachable())
        assert plan is not None  # noqa: S101 - it names a job
        command = slurm.log(plan, reached.part, lines=lines, follow=follow)
    elif isinstance(first, VmPlan):
        command = machines.vm_log(first, reached.part, lines=lines, follow=follow, serial=serial)
        if not (serial or prints):
            cluster_access.insist_on_running(reached, command)
    elif isinstance(first, VmssPlan):
        ways = connect(reached.examined, first, reached.simulate)
        command = machines.vmss_log(first, reached.part, ways, lines=lines, follow=follow)
    else:
        command = inside.logs(inside.inside(reached.plans), reached.part, lines=lines, follow=follow)
    reached.go(command, prints=prints)
