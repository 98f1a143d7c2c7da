from clusterprint.rules.declared import declared


@declared("VM185", source="clusterprint: docs/nodes-vm.md")
def notebook_of_unknown_group() -> None:
    """JupyterLab is set for a group of nodes that does not exist.

    No node would have it.

    Name a group of `node_groups`, or leave `group` out for all nodes.
    """
