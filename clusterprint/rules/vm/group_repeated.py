from clusterprint.rules.declared import declared


@declared("VM082", source="The blueprint language: names in a list")
def group_repeated() -> None:
    """Two groups of nodes have the same name.

    A group is identified by its name, in Google Cloud and in the Terraform state, and its nodes are named
    after it.

    Give one of them another name, or make one group of both.
    """
