from clusterprint.rules.declared import declared


@declared("GKE046", source="The blueprint language: names in a list")
def pool_repeated() -> None:
    """Two node pools have the same name.

    A pool is identified by its name, in the cluster and in the Terraform state; compute classes and workloads
    name pools by it.

    Give one of them another name.
    """
