"""`clusterprint kubeconfig`: kubectl credentials for a cluster."""

import click

from clusterprint.cli import reaching


@click.command("kubeconfig")
@reaching.target
def kubeconfig(*, reached: reaching.Reached, prints: bool) -> None:
    """Get the kubectl credentials of a cluster of kind gke or ray, and make it the current context.

    CLUSTER is a name or a blueprint's file. Runs gcloud container clusters get-credentials.
    """
    from clusterprint.access import inside

    reaching.go(inside.kubeconfig(inside.inside(reached.plans)), prints=prints)
