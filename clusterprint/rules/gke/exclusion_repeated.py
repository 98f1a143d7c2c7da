from clusterprint.rules.declared import declared


@declared("GKE079", source="The blueprint language: names in a list")
def exclusion_repeated() -> None:
    """Two maintenance exclusions have the same name.

    Exclusions are identified by their names; GKE refuses two of the same.

    Give one of them another name.
    """
