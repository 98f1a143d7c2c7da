from clusterprint.rules.declared import declared


@declared("GKE230", source="Kueue: cluster queues")
def pool_of_quota_missing() -> None:
    """A queue has a quota of a node pool that does not exist.

    Quotas are counted in nodes of a pool of this blueprint.

    Name one of its pools.
    """
