from clusterprint.rules.declared import declared


@declared("VM164", source="The blueprint language: names in a list")
def zone_of_group_repeated() -> None:
    """A zone is listed twice for a group of nodes.

    Nodes are in each listed zone in turn; the same one twice would be two groups of the same name.

    List each zone once.
    """
