"""The TPU provisioner: what follows from how it is written."""

from msgspec import UNSET

from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner

#: What its image is called in the repository of a cluster.
IMAGE = "provisioner"


def builds_image(provisioner: TpuProvisioner) -> bool:
    """Whether its image is built from our own sources, as none is named."""
    return provisioner.image is UNSET and provisioner.controller == "slice_provisioner"
