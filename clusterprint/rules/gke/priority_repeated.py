from clusterprint.rules.declared import declared


@declared("GKE236", source="The blueprint language: names in a list")
def priority_repeated() -> None:
    """Two priorities have the same name.

    Jobs name their priority, and there is only one of a name in a cluster.

    Give one of them another name.
    """
