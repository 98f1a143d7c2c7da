"""`clusterprint ssh`: a shell on a node."""

import click

from clusterprint.cli import cluster_access


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
    Ray (ray). It is gcloud compute ssh, ssh, az network bastion ssh or kubectl exec. Simulated nodes run
    nothing: they say what they would run.
    """
    from clusterprint.access import inside, machines
    from clusterprint.cli.azure_outputs import connect
    from clusterprint.plan.vm import VmPlan
    from clusterprint.plan.vmss import VmssPlan

    first = reached.plans[0]
    if isinstance(first, VmPlan):
        command = machines.vm_shell(first, reached.part, remote)
    elif isinstance(first, VmssPlan):
        ways = connect(reached.examined, first, reached.simulate)
        command = machines.vmss_shell(first, reached.part, ways, key, remote)
    else:
        command = inside.shell(inside.inside(reached.plans), remote)
    if not prints:
        cluster_access.insist_on_running(reached, command)
    reached.go(command, prints=prints)
