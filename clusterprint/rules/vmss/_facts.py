"""What rules about scale sets ask the catalog, and what follows from it."""

from msgspec import UNSET

from clusterprint.blueprint.vmss import VmssNodes
from clusterprint.catalog import AzureSize, azure_size

AMD = "MI"


def size_of(nodes: VmssNodes) -> AzureSize | None:
    """The facts about the size of the nodes; None for one that the catalog does not know."""
    return azure_size(nodes.size)


def has_infiniband(nodes: VmssNodes) -> bool:
    """Whether the nodes are known to have InfiniBand."""
    size = size_of(nodes)
    return size is not None and size.ib_hcas > 0


def is_uniform(nodes: VmssNodes) -> bool:
    """Whether the scale set will be uniform."""
    if nodes.orchestration is UNSET:
        return has_infiniband(nodes)
    return nodes.orchestration == "uniform"


def is_amd(size: AzureSize) -> bool:
    """Whether its GPUs are AMD's."""
    return size.gpu_model.startswith(AMD)
