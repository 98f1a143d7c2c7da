from clusterprint.rules.declared import declared


@declared("GKE050", source="The blueprint language: names in a list")
def compute_class_repeated() -> None:
    """Two compute classes have the same name.

    Workloads select a class by its name; one would overwrite the other.

    Give one of them another name, or merge their pools into one list.
    """
