from clusterprint.rules.declared import declared


@declared("GKE232", source="Kueue: cluster queues (flavors)")
def quota_repeated() -> None:
    """A queue has two quotas of one node pool.

    A pool is a flavor of the queue, and Kueue refuses a queue that has one twice.

    Add them up.
    """
