"""Checkpoints in the memory of nodes: whether anything would copy them, and whether pods find their driver.

Source: documentation "Train large-scale machine learning models on GKE with Multi-Tier Checkpointing".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clusterprint_simcloud.cloud.behaviour import Request
from clusterprint_simcloud.cloud.contents import ApiError
from clusterprint_simcloud.google.scheduling import block
from clusterprint_simcloud.google.storage import BUCKET
from clusterprint_simcloud.helm.charts import Object
from clusterprint_simcloud.kubernetes.cluster import home, record_of
from clusterprint_simcloud.kubernetes.nodes import Pod, has_place

CONFIGURATION = "CheckpointConfiguration.checkpointing.gke.io"
_DRIVER = "multitier-checkpoint.csi.storage.gke.io"
_COPIER = "/subject/ns/gke-managed-checkpointing/sa/gke-checkpointing-multitier-node"
_MEMBER = "google_storage_bucket_iam_member"
_ROLE = "roles/storage.objectUser"


def check_configuration(request: Request, one: Object, _objects: Sequence[Object]) -> None:
    """The driver mounts the bucket by Cloud Storage FUSE, and runs on nodes that the object selects."""
    spec = one.content.get("spec") or {}
    addons = block(record_of(request).state, "addons_config")
    if not block(addons, "gcs_fuse_csi_driver_config").get("enabled"):
        raise _never(one, "the cluster has no Cloud Storage FUSE driver")
    name = str(spec.get("cloudStorageBucketName") or "")
    for bucket in request.contents.of(BUCKET):
        flat = not block(bucket.state, "hierarchical_namespace").get("enabled")
        if bucket.state.get("name") == name and flat:
            raise _never(one, f"bucket '{name}' has no hierarchical namespace")
    members = [each.state for each in request.contents.of(_MEMBER) if each.state.get("bucket") == name]
    copier = [each for each in members if str(each.get("member")).endswith(_COPIER)]
    if not any(each.get("role") == _ROLE for each in copier):
        raise _never(one, f"GKE's account for copies may not write to bucket '{name}'")
    if not has_place(request, Pod(spec.get("nodeSelector") or {}, spec.get("tolerations") or [])):
        raise _never(one, "no node pool takes its driver")


def check_pod(
    request: Request, one: Object, spec: Mapping[str, Any], pod: Pod, objects: Sequence[Object]
) -> None:
    """A pod that asks for the driver needs a node that has it."""
    drivers = {(volume.get("csi") or {}).get("driver") for volume in spec.get("volumes") or []}
    if _DRIVER not in drivers:
        return
    for nodes in _selected(request, objects):
        both = {**pod.selector, **nodes}
        at_odds = any(pod.selector.get(key, value) != value for key, value in nodes.items())
        if not at_odds and has_place(request, Pod(both, pod.tolerations, pod.resources, pod.devices)):
            return
    raise _never(one, f"none of its nodes has the driver {_DRIVER}")


def kept(one: Object) -> dict[str, Any]:
    """Facts about an object to keep, besides its name."""
    return {"spec": one.content.get("spec")} if one.api == CONFIGURATION else {}


def _selected(request: Request, objects: Sequence[Object]) -> Iterator[dict[str, Any]]:
    """The labels of nodes with the driver, for each object that puts it somewhere."""
    place = f"{home(request)}/"
    there = [one.state for one in request.contents.of(CONFIGURATION) if one.id.startswith(place)]
    new = [one.content for one in objects if one.api == CONFIGURATION]
    for each in (*there, *new):
        yield (each.get("spec") or {}).get("nodeSelector") or {}


def _never(one: Object, text: str) -> ApiError:
    return ApiError(f'{one.api} "{one.name}" would never be ready: {text}')
