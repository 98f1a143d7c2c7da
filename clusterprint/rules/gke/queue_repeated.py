from clusterprint.rules.declared import declared


@declared("GKE111", source="The blueprint language: names in a list")
def queue_repeated() -> None:
    """Two local queues of one namespace have the same name.

    Jobs name their queue, and there is only one of a name in a namespace.

    Give one of them another name.
    """
