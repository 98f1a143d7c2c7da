"""JupyterLab on the machines of `kind: vm`."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names
from clusterprint.blueprint.vm_slurm import GroupOfNodes


class Notebook(Part, frozen=True, kw_only=True):
    """JupyterLab for everyone who may log in to a node: each starts their own, through SSH, as themselves."""

    relations = (Names("VM185", "group", ("node_groups",), "group of nodes", "groups of nodes"),)

    port: Annotated[
        int,
        Meta(
            ge=1024,
            le=65535,
            description="Port of the notebook, on the node and at the local end of the tunnel.",
        ),
    ] = 8888
    group: Annotated[
        GroupOfNodes | UnsetType, Meta(description="Group of nodes to install it on. Left out: all nodes.")
    ] = UNSET
