from clusterprint.rules.declared import declared


@declared("GKE044", source="Kubernetes: taints and tolerations", firm=False)
def taint_repeated() -> None:
    """A taint is listed twice with the same key and effect.

    A node has one taint of a key and an effect; GKE refuses the pool.

    Remove one of them.
    """
