from clusterprint.rules.declared import declared


@declared("RAY004", source="KubeRay: worker group names")
def worker_repeated() -> None:
    """Two groups of workers have the same name.

    KubeRay tells groups apart by their names, and refuses the Ray cluster.

    Give each group a name of its own.
    """
