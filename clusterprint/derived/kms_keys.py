"""Keys of Cloud KMS that a cluster names, and which of Google's own accounts encrypts with each."""

from collections.abc import Iterator
from typing import Literal

from msgspec import UNSET

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint

#: What accounts of every project are called by: GKE's encrypts Secrets, Compute Engine's disks.
Agent = Literal["container-engine-robot", "compute-system"]


def used(blueprint: KubernetesBlueprint) -> Iterator[tuple[Agent, str]]:
    """Each use of a key; a key of several pools comes several times."""
    if blueprint.cluster.secrets_kms_key is not UNSET:
        yield "container-engine-robot", blueprint.cluster.secrets_kms_key
    for pool in blueprint.node_pools:
        if pool.boot_disk_kms_key is not UNSET:
            yield "compute-system", pool.boot_disk_kms_key
    if isinstance(blueprint, GkeBlueprint) and blueprint.workloads.tpu_provisioner is not UNSET:
        made = blueprint.workloads.tpu_provisioner.nodes
        if made.boot_disk_kms_key is not UNSET:
            yield "compute-system", made.boot_disk_kms_key
