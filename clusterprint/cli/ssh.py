"""`clusterprint ssh`: a shell on a node."""

import click

from clusterprint.cli import cluster_access
from clusterprint.errors import UsageError


@click.command("ssh")
@cluster_access.target
@click.argument("remote", nargs=-1, metavar="[-- COMMAND...]")
@click.option("--key", default="", metavar="FILE", help="Private key, where Azure Bastion needs one.")
def ssh(
    *,
    reached: cluster_access.Reached,
    remote: tuple[str, ...],
    key: str,
    prints: bool,
) -> None:
    """Open a shell or command on a node.

    CLUSTER is a name or a blueprint's file; PART is a node: its name, with or without the name of the cluster
    before it. Left out, it is the first node (vm; with Slurm, its controller), the head (vmss), the head of
    Ray (ray), or the login pod of Slurm (gke). It is gcloud compute ssh, ssh, az network bastion ssh or
    kubectl exec. Simulated nodes run nothing: they say what they would run.
    """
    from clusterprint.access import inside, machines, slurm
    from clusterprint.cli.azure_outputs import connect
    from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
    from clusterprint.plan.vm import VmPlan
    from clusterprint.plan.vmss import VmssPlan

    first = reached.plans[0]
    if isinstance(first, VmPlan):
        command = machines.vm_shell(first, reached.part, remote)
    elif isinstance(first, VmssPlan):
        ways = connect(reached.examined, first, reached.simulate)
        command = machines.vmss_shell(first, reached.part, ways, key, remote)
    elif isinstance(content := slurm.plan_with(reached.plans), GkeWorkloadsPlan):
        if reached.part:
            raise UsageError("the shell is in Slurm's login pod: leave the part out")
        options = () if remote else ("--stdin", "--tty")
        command = slurm.in_login_pod(content, remote or ("bash", "-l"), *options)
    else:
        command = inside.shell(inside.inside(reached.plans), remote)
    if not prints:
        cluster_access.insist_on_running(reached, command)
    reached.go(command, prints=prints)
