from clusterprint.rules.declared import declared


@declared("GKE053", source="Google Cloud: about custom compute classes in GKE", firm=False)
def pool_repeated_in_compute_class() -> None:
    """A compute class names a pool twice.

    The pools of a class are tried one after the other; a second try of the same pool does nothing. Perhaps
    another pool was meant.

    Remove one of them.
    """
