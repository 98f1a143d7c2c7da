from clusterprint.rules.declared import declared


@declared("GKE011", source="The blueprint language: names in a list")
def zone_repeated() -> None:
    """A zone of the pool is listed twice.

    Nodes are counted per zone; a zone that counts twice would make half of the number wrong.

    Remove one of them, or name the zone that was meant.
    """
