"""`clusterprint dashboard`: Ray's dashboard on this machine, and the addresses of the others."""

from typing import TYPE_CHECKING

import click

from clusterprint.access.command import answer
from clusterprint.cli import cluster_access
from clusterprint.cli.output import say
from clusterprint.errors import UsageError

if TYPE_CHECKING:
    from clusterprint.access.command import Command
    from clusterprint.plan.vm import VmPlan

PORT = click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=None,
    help="Port of this machine. Left out: that of the dashboard.",
)


@click.command("dashboard")
@cluster_access.target
@PORT
def dashboard(*, reached: cluster_access.Reached, port: int | None, prints: bool) -> None:
    """Open a dashboard on a local port.

    The port is open while the command runs, which prints its address. CLUSTER is a name or a blueprint's
    file. For kind ray it is kubectl port-forward, for machines with Ray or a notebook a tunnel of gcloud
    compute ssh. For kind gke it prints the addresses of Google's own dashboards. A simulated cloud opens
    nothing.
    """
    from clusterprint.access import inside
    from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
    from clusterprint.plan.vm import VmPlan

    first = reached.plans[0]
    if isinstance(first, VmPlan):
        command = _of_machines(first, port or 0, asks=not prints and reached.simulate is None)
        reached.go(command, prints=prints)
        return
    of = inside.inside(reached.plans)
    if of.content is None or isinstance(of.content, GkeWorkloadsPlan):
        if reached.simulate is not None:
            say(
                "simulated: these pages are of a real cluster of this name and show no simulated one",
                err=True,
            )
        for name, address in of.cluster.dashboards.items():
            say(f"{name}: {address}")
        return
    reached.go(inside.dashboard(of, port or 0), prints=prints)


def _of_machines(plan: "VmPlan", port: int, *, asks: bool) -> "Command":
    """A tunnel to Ray's head, who has to be asked for first if `asks`; or to the notebook."""
    from clusterprint.access import machines

    notebook = machines.vm_notebook(plan)
    if notebook and not any(each.name == "ray" for each in plan.outputs.more):
        if port:
            raise UsageError("the port of a notebook is in the blueprint")
        return notebook
    head = machines.vm_head(plan)
    if not asks:
        say(f"# HEAD is what this prints: {head.text}")
    return machines.vm_dashboard(plan, answer(head) if asks else "HEAD", port)
