"""Keys of Cloud KMS that a cluster names, and which of Google's own accounts encrypts with each."""

from collections.abc import Iterator
from typing import Literal

from msgspec import UNSET, UnsetType

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.google import GoogleBlueprint, NetworkedBlueprint
from clusterprint.derived import existing, volumes

#: What accounts of every project are called by (Google Cloud: IAM, service agents): GKE's encrypts Secrets of
#: Kubernetes, Compute Engine's disks and images, the others what their service stores.
Agent = Literal[
    "container-engine-robot",
    "compute-system",
    "gs-project-accounts",
    "cloud-filer",
    "gcp-sa-lustre",
    "gcp-sa-artifactregistry",
    "gcp-sa-secretmanager",
]
_VOLUMES: dict[str, Agent] = {
    "bucket": "gs-project-accounts",
    "filestore": "cloud-filer",
    "lustre": "gcp-sa-lustre",
}


def of_all(blueprint: GoogleBlueprint) -> str:
    """The key that encrypts all data of a cluster; empty for Google's keys."""
    return of(blueprint.kms_key if isinstance(blueprint, NetworkedBlueprint) else UNSET)


def of(own: str | UnsetType, blueprint: GoogleBlueprint | None = None) -> str:
    """The key of a part: its own, or else that of the blueprint."""
    if own is not UNSET:
        return own
    return of_all(blueprint) if blueprint else ""


def location(key: str) -> str:
    """The location of a key, from its full name."""
    return key.split("/")[3]


def of_vm(blueprint: GoogleBlueprint) -> Iterator[tuple[Agent, str]]:
    """Each use of a key in a cluster of virtual machines, which always have disks."""
    key = of_all(blueprint)
    if key:
        yield "compute-system", key
        yield from _of_volumes(blueprint, key)


def _of_volumes(blueprint: GoogleBlueprint, key: str) -> Iterator[tuple[Agent, str]]:
    for each in volumes.volumes(blueprint.storage):
        if each.create and each.kind in _VOLUMES:
            yield _VOLUMES[each.kind], key


def of_kubernetes(blueprint: KubernetesBlueprint, *, registries: bool) -> Iterator[tuple[Agent, str]]:
    """Each use of the key of the whole cluster; `registries` says whether there are any."""
    key = of_all(blueprint)
    if not key:
        return
    if not existing.is_existing(blueprint) and blueprint.cluster.secrets_kms_key is UNSET:
        yield "container-engine-robot", key
    if _has_disks(blueprint):
        yield "compute-system", key
    yield from _of_volumes(blueprint, key)
    if any(each.kind == "filestore" for each in blueprint.storage.file_classes):
        yield "cloud-filer", key
    if registries:
        yield "gcp-sa-artifactregistry", key
    if any(each.create for each in blueprint.secrets):
        yield "gcp-sa-secretmanager", key


def _has_disks(blueprint: KubernetesBlueprint) -> bool:
    """Whether the blueprint creates disks: a created cluster has a pool for system components."""
    nodes = (blueprint.node_pools, blueprint.compute_classes, blueprint.storage.disk_classes)
    return (
        not existing.is_existing(blueprint)
        or any(nodes)
        or any(each.kind == "disk" and each.create for each in blueprint.storage.volumes)
        or (isinstance(blueprint, GkeBlueprint) and blueprint.workloads.tpu_provisioner is not UNSET)
    )


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


def granted(blueprint: KubernetesBlueprint, *, registries: bool) -> Iterator[tuple[Agent, str]]:
    """Each use of a key that the blueprint grants; `registries` says whether it creates any."""
    if blueprint.cluster.grant_kms_keys:
        yield from used(blueprint)
    if blueprint.grant_kms_key:
        yield from of_kubernetes(blueprint, registries=registries)
