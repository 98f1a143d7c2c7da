"""The TPU provisioner: what follows from how it is written."""

from msgspec import UNSET

from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner

#: What its image is called in the repository of a cluster.
IMAGE = "provisioner"

#: The label that the slice provisioner gives all nodes of its pools.
NODE_LABEL = {"clusterprint/slice-manager": "slice-provisioner"}


def builds_image(provisioner: TpuProvisioner) -> bool:
    """Whether its image is built from our own sources, as none is named."""
    return provisioner.image is UNSET and provisioner.controller == "slice_provisioner"


def provisions_queued(provisioner: TpuProvisioner) -> bool:
    """Whether jobs in queues can be given pools: the other controller knows nothing of Kueue's flavors."""
    return provisioner.controller == "slice_provisioner"
