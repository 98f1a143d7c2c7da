from clusterprint.rules.declared import declared


@declared("GKE051", source="Google Cloud: about custom compute classes in GKE")
def pool_of_compute_class_missing() -> None:
    """A compute class prefers a node pool that does not exist.

    Pods of the class would wait for nodes that never come.

    Name a pool of this blueprint.
    """
