from clusterprint.rules.declared import declared


@declared("RAY002", source="Google Cloud: about custom compute classes in GKE")
def nodes_of_worker_missing() -> None:
    """A group of workers names a node pool or a compute class that does not exist.

    Its pods would wait for nodes that never come.

    Name a pool or a class of this blueprint.
    """
