from clusterprint.rules.declared import declared


@declared("GKE090", source="The blueprint language: names in a list")
def workload_identity_repeated() -> None:
    """A service account of the cluster is listed twice.

    Its rights belong in one place; with two entries it is hard to see what is granted.

    Merge the two entries into one.
    """
