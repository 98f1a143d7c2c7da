"""Keys of Cloud KMS that a cluster names, and which of Google's own accounts encrypts with each."""

from collections.abc import Iterator
from typing import Literal

from msgspec import UNSET

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import volumes

#: What accounts of every project are called by: GKE's encrypts Secrets, Compute Engine's disks and images,
#: the others volumes of a kind.
Agent = Literal[
    "container-engine-robot", "compute-system", "gs-project-accounts", "cloud-filer", "gcp-sa-lustre"
]
_VOLUMES: dict[str, Agent] = {
    "bucket": "gs-project-accounts",
    "filestore": "cloud-filer",
    "lustre": "gcp-sa-lustre",
}


def of_all(blueprint: GoogleBlueprint) -> str:
    """The key that encrypts all data of a cluster; empty for Google's keys."""
    key = blueprint.kms_key if isinstance(blueprint, VmBlueprint) else UNSET
    return "" if key is UNSET else key


def location(key: str) -> str:
    """The location of a key, from its full name."""
    return key.split("/")[3]


def of_vm(blueprint: VmBlueprint) -> Iterator[tuple[Agent, str]]:
    """Each use of a key in a cluster of virtual machines, which always have disks."""
    key = of_all(blueprint)
    if key:
        yield "compute-system", key
        for each in volumes.volumes(blueprint.storage):
            if each.create and each.kind in _VOLUMES:
                yield _VOLUMES[each.kind], key


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
