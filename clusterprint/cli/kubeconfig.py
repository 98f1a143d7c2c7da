"""`clusterprint kubeconfig`: kubectl gets to know a cluster."""

from pathlib import Path

import click

from clusterprint.cli import reaching


@click.command("kubeconfig")
@reaching.TARGET
@reaching.AMONG
@reaching.PRINT
def kubeconfig(target: str, *, among: tuple[Path, ...], prints: bool) -> None:
    """Get the kubectl credentials of a cluster of kind gke or ray, and make it the current context.

    NAME is a cluster among the blueprints, or a blueprint's file. It is gcloud container clusters
    get-credentials.
    """
    from clusterprint.access import inside

    reaching.go(inside.kubeconfig(inside.inside(reaching.Reached(target, among).plans)), prints=prints)
