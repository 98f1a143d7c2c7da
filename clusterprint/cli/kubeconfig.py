"""`clusterprint kubeconfig`: kubectl credentials for a cluster."""

import click

from clusterprint.cli import cluster_access


@click.command("kubeconfig")
@cluster_access.target
def kubeconfig(*, reached: cluster_access.Reached, prints: bool) -> None:
    """Get the kubectl credentials of a cluster.

    For kinds gke and ray; the cluster becomes kubectl's current context. CLUSTER is a name or a blueprint's
    file. Runs gcloud container clusters get-credentials. With --simulate, the kubeconfig is a file in that
    folder.
    """
    from clusterprint.access import inside

    reached.go(inside.kubeconfig(inside.inside(reached.plans)), prints=prints)
