"""Facts about the size of a scale set's nodes, and its orchestration mode."""

from msgspec import UNSET

from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.blueprint.vmss_head import HeadNode
from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.catalog import AzureSize, azure_size, says_rdma
from clusterprint.derived import releases, updates

#: What runs on the head is light: an agent, a few timers, and people's shells.
HEAD_SIZE = "Standard_D4s_v5"

_HEAD_IMAGE = "Canonical:ubuntu-24_04-lts:server:latest"

# Azure's REST API: RollingUpgradePolicy.
_LEAST_PERCENT = 5

# What the models of AMD's GPUs begin with: MI300X.
_AMD = "MI"


def size_of(nodes: VmssNodes) -> AzureSize | None:
    """The facts about the size of the nodes; None for one that the catalog does not know."""
    return azure_size(nodes.size)


def has_infiniband(nodes: VmssNodes) -> bool:
    """Whether the nodes have InfiniBand: by the catalog, and for other sizes by their names.

    A scale set with several placement groups has none, and never becomes one with a single group; so a size
    that nothing else is known about must not lose it here.
    """
    size = size_of(nodes)
    return says_rdma(nodes.size) if size is None else size.ib_hcas > 0


def is_uniform(nodes: VmssNodes) -> bool:
    """Whether the scale set is uniform: as the user says, else for InfiniBand.

    InfiniBand has its partition in one placement group, which only uniform sets have.
    """
    if nodes.orchestration is UNSET:
        return has_infiniband(nodes)
    return nodes.orchestration == "uniform"


def has_image(nodes: VmssNodes) -> bool:
    """Whether an image is known that fits the size."""
    size = size_of(nodes)
    return size is not None and bool(size.images)


def node_image(blueprint: VmssBlueprint) -> str:
    """The marketplace image of the nodes: as the user says, else the first one for the size.

    With Slurm, the first one whose Slurm suits. Empty for an image of the user, and if none is known.
    """
    nodes, size = blueprint.nodes, size_of(blueprint.nodes)
    if nodes.image is not UNSET or nodes.image_id is not UNSET:
        return str(nodes.image or "")
    known = size.images if size else ()
    suited = [
        each for each in known if not (found := releases.of_urn(each)) or not releases.is_too_old(found)
    ]
    return next(iter((*(suited if blueprint.bootstrap.slurm is not UNSET else ()), *known)), "")


def head_image(blueprint: VmssBlueprint) -> str:
    """The marketplace image of the head; empty if it has the nodes' own image."""
    head = blueprint.head_node
    default = node_image(blueprint) if runs_jobs(head) else _HEAD_IMAGE
    return str(default if head.image is UNSET else head.image)


def has_hpc_image(nodes: VmssNodes) -> bool:
    """Whether the nodes start from an HPC image of Azure, which is the default."""
    return nodes.image_id is UNSET and (nodes.image is UNSET or ":ubuntu-hpc:" in nodes.image)


def has_managed_image(nodes: VmssNodes) -> bool:
    """Whether the nodes start from an image of the user that is in no gallery."""
    return nodes.image_id is not UNSET and "/galleries/" not in nodes.image_id


def has_nvidia(nodes: VmssNodes) -> bool | None:
    """Whether the nodes have GPUs of NVIDIA, if known."""
    size = size_of(nodes)
    return None if size is None else size.gpus > 0 and not is_amd(size)


def is_amd(size: AzureSize) -> bool:
    """Whether its GPUs are AMD's."""
    return size.gpu_model.startswith(_AMD)


def head_size(head: HeadNode, nodes: VmssNodes) -> str:
    """The size of the head: as the user says, else that of the nodes if it runs jobs, too."""
    if head.size is not UNSET:
        return head.size
    return nodes.size if runs_jobs(head) else HEAD_SIZE


def runs_jobs(head: HeadNode) -> bool:
    """Whether the head is a node, too: as a member of the set, or beside it."""
    return head.in_scale_set or head.runs_jobs


def is_small_batch(nodes: VmssNodes) -> bool:
    """Whether Azure refuses the batches of a scale set that rolls."""
    return nodes.update.strategy == "roll" and updates.percent(nodes.update, nodes.count) < _LEAST_PERCENT
