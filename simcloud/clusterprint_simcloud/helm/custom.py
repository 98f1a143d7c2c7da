"""Custom resources: what their controllers would wait for in vain.

The API server accepts nearly all of these objects. They are refused here because nothing would come of them.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from clusterprint_simcloud.cloud.behaviour import Request
from clusterprint_simcloud.cloud.contents import ApiError, Record
from clusterprint_simcloud.google.gke import versions
from clusterprint_simcloud.google.gke.places import pools_of, region_of
from clusterprint_simcloud.google.links import name_of
from clusterprint_simcloud.google.network import NETWORK, SUBNETWORK, rdma_zone
from clusterprint_simcloud.google.scheduling import block
from clusterprint_simcloud.helm import checkpoints, device_claims, gateways
from clusterprint_simcloud.helm.charts import Object
from clusterprint_simcloud.kubernetes.cluster import ACCOUNT, STORAGE_CLASS, home, record_of
from clusterprint_simcloud.kubernetes.nodes import Pod, has_place
from clusterprint_simcloud.kubernetes.objects import find as find_object
from clusterprint_simcloud.kubernetes.objects import neighbour
from clusterprint_simcloud.kubernetes.pods import CLAIM, CONFIG_MAP

_NETWORKS = "networking.gke.io"
_KUEUE = "kueue.x-k8s.io"
_INTERFACES = "networking.gke.io/interfaces"
_CLASS = "cloud.google.com/compute-class"
# Documentation "Configure node pool auto-creation".
_CREATES_SINCE = "1.33.3-gke.1136000"
Check = Callable[[Request, Object, Sequence[Object]], None]


def check(request: Request, objects: Sequence[Object]) -> None:
    """Refuse objects that would never be ready.

    :raises ApiError: for the first one.
    """
    for one in objects:
        found = _CHECKS.get(one.api)
        if found is not None:
            found(request, one, objects)
        _check_interfaces(request, one, objects)
        _check_queued(request, one, objects)
        for pod in _pods(one.content):
            _check_pod(request, one, pod, objects)


def _never(one: Object, text: str) -> ApiError:
    return ApiError(f'{one.api} "{one.name}" would never be ready: {text}')


def _is_there(request: Request, api: str, name: str, objects: Iterable[Object]) -> bool:
    """Whether an object is in this release, or in the cluster already."""
    if any(one.api == api and one.name == name for one in objects):
        return True
    place = f"{home(request)}/"
    there = request.contents.of(api)
    return any(one.id.startswith(place) and one.state.get("name") == name for one in there)


# ---- networks


def _check_parameters(request: Request, one: Object, _objects: Sequence[Object]) -> None:
    """Documentation "Set up multi-network support for Pods"."""
    cluster = record_of(request)
    if not cluster.state.get("enable_multi_networking"):
        raise _never(one, "the cluster has no multi-networking (enable_multi_networking)")
    spec = one.content.get("spec") or {}
    network = _in_project(request, NETWORK, spec.get("vpc"))
    if network is None:
        raise _never(one, f"there is no network '{spec.get('vpc')}'")
    subnetwork = _in_project(request, SUBNETWORK, spec.get("vpcSubnet"))
    if subnetwork is None or network.key not in subnetwork.references:
        raise _never(one, f"network '{spec.get('vpc')}' has no subnetwork '{spec.get('vpcSubnet')}'")
    mode = spec.get("deviceMode")
    if mode and bool(rdma_zone(network)) != (mode == "RDMA"):
        raise _never(one, f"device mode {mode} does not go with network '{spec.get('vpc')}'")


def _in_project(request: Request, kind: str, name: Any) -> Record | None:
    cluster = record_of(request).state
    region = region_of(str(cluster["location"]))
    for one in request.contents.of(kind):
        inside = not one.state.get("region") or name_of(str(one.state["region"])) == region
        if one.state.get("name") == name and inside:
            return one
    return None


def _check_network(request: Request, one: Object, objects: Sequence[Object]) -> None:
    reference = (one.content.get("spec") or {}).get("parametersRef") or {}
    name = str(reference.get("name") or "")
    if name and not _is_there(request, f"GKENetworkParamSet.{_NETWORKS}", name, objects):
        raise _never(one, f"there is no GKENetworkParamSet '{name}'")


def _check_interfaces(request: Request, one: Object, objects: Sequence[Object]) -> None:
    """Pods name the networks of their interfaces in an annotation."""
    for found in _values(one.content, "annotations"):
        text = found.get(_INTERFACES) if isinstance(found, dict) else None
        for interface in json.loads(text) if isinstance(text, str) else []:
            name = interface.get("network")
            if name != "default" and not _is_there(request, f"Network.{_NETWORKS}", str(name), objects):
                raise _never(one, f"there is no Network '{name}' for {interface.get('interfaceName')}")


# ---- compute classes and queues


def _check_class(request: Request, one: Object, _objects: Sequence[Object]) -> None:
    """Documentation "About custom compute classes": pools carry the class as a label and as a taint."""
    pools = {str(pool.state["name"]): pool for pool in pools_of(request.contents, record_of(request))}
    spec = one.content.get("spec") or {}
    creates = (spec.get("nodePoolAutoCreation") or {}).get("enabled")
    version = versions.asked(record_of(request).state)
    if creates and version and versions.is_older(version, _CREATES_SINCE):
        raise _never(one, f"GKE {version} makes pools for a class since {_CREATES_SINCE} only")
    for priority in spec.get("priorities") or []:
        if not priority.get("nodepools") and not creates:
            raise _never(one, "a rule without node pools needs nodePoolAutoCreation")
        tpu = priority.get("tpu")
        if tpu is not None and not all(tpu.get(key) for key in ("type", "count", "topology")):
            raise _never(one, "tpu needs a type, a count and a topology")
        for name in priority.get("nodepools") or []:
            if name not in pools:
                raise _never(one, f"there is no node pool '{name}'")
            node = block(pools[name].state, "node_config")
            label = (node.get("labels") or {}).get(_CLASS)
            taints = {taint["key"]: taint.get("value") for taint in node.get("taint") or []}
            if label != one.name or taints.get(_CLASS) != one.name:
                raise _never(one, f"node pool '{name}' needs the label and the taint {_CLASS}={one.name}")


def _check_local_queue(request: Request, one: Object, objects: Sequence[Object]) -> None:
    name = str((one.content.get("spec") or {}).get("clusterQueue"))
    if not _is_there(request, f"ClusterQueue.{_KUEUE}", name, objects):
        raise _never(one, f"there is no ClusterQueue '{name}'")


def _check_flavor(request: Request, one: Object, objects: Sequence[Object]) -> None:
    name = str((one.content.get("spec") or {}).get("topologyName") or "")
    if name and not _is_there(request, f"Topology.{_KUEUE}", name, objects):
        raise _never(one, f"there is no Topology '{name}'")


def _check_cluster_queue(request: Request, one: Object, objects: Sequence[Object]) -> None:
    spec = one.content.get("spec") or {}
    cohort = spec.get("cohortName") or spec.get("cohort")
    for group in spec.get("resourceGroups") or []:
        covered = group.get("coveredResources") or []
        for flavor in group.get("flavors") or []:
            name = str(flavor.get("name"))
            if not _is_there(request, f"ResourceFlavor.{_KUEUE}", name, objects):
                raise _never(one, f"there is no ResourceFlavor '{name}'")
            if [each.get("name") for each in flavor.get("resources") or []] != covered:
                raise _never(one, f"flavor '{name}' must have the covered resources, in their order")
            for amount in flavor.get("resources") or []:
                for limit in ("borrowingLimit", "lendingLimit"):
                    # Kueue's webhook: "must be nil when cohort is empty".
                    if limit in amount and not cohort:
                        raise _never(one, f"{limit} of flavor '{name}' must be nil when cohort is empty")


def _check_queued(request: Request, one: Object, objects: Sequence[Object]) -> None:
    """A job with the label of a queue waits until Kueue admits it, which has to know what it names."""
    labels = (one.content.get("metadata") or {}).get("labels") or {}
    for label, kind in (("queue-name", "LocalQueue"), ("priority-class", "WorkloadPriorityClass")):
        name = labels.get(f"{_KUEUE}/{label}") if isinstance(labels, dict) else None
        if name and not _is_there(request, f"{kind}.{_KUEUE}", str(name), objects):
            raise _never(one, f"there is no {kind} '{name}'")


# ---- Ray


def _check_hosts(_request: Request, one: Object, _objects: Sequence[Object]) -> None:
    """KubeRay v1.7.0, util.go: a group has its replicas times `numOfHosts` pods; left out, that is 1."""
    for groups in _values(one.content, "workerGroupSpecs"):
        for group in groups or []:
            if group.get("numOfHosts", 1) < 1:
                raise _never(one, f"worker group '{group.get('groupName')}' has replicas of no host")


_CHECKS: Mapping[str, Check] = {
    **dict.fromkeys(("RayCluster.ray.io", "RayJob.ray.io", "RayService.ray.io"), _check_hosts),
    f"GKENetworkParamSet.{_NETWORKS}": _check_parameters,
    f"Network.{_NETWORKS}": _check_network,
    "ComputeClass.cloud.google.com": _check_class,
    checkpoints.CONFIGURATION: checkpoints.check_configuration,
    gateways.GATEWAY: gateways.check_gateway,
    gateways.ROUTE: gateways.check_route,
    f"LocalQueue.{_KUEUE}": _check_local_queue,
    f"ClusterQueue.{_KUEUE}": _check_cluster_queue,
    f"ResourceFlavor.{_KUEUE}": _check_flavor,
}


# ---- pods in custom resources


def _values(content: Any, name: str) -> Iterator[Any]:
    """Every value of a key, however deep."""
    if isinstance(content, dict):
        for key, value in content.items():
            if key == name:
                yield value
            yield from _values(value, name)
    elif isinstance(content, list):
        for one in content:
            yield from _values(one, name)


def _pods(content: Any) -> Iterator[dict[str, Any]]:
    """Every specification of pods: what has a list of containers."""
    for spec in _values(content, "spec"):
        if isinstance(spec, dict) and isinstance(spec.get("containers"), list):
            yield spec


def _check_pod(request: Request, one: Object, spec: dict[str, Any], objects: Sequence[Object]) -> None:
    def is_there(kind: str, api: str, name: str) -> bool:
        return neighbour(where, kind, name) is not None or _is_there(request, api, name, objects)

    where = Request(
        request.contents,
        request.kind,
        {"metadata": [{"namespace": one.namespace or request.text("namespace")}]},
        None,
        config=request.config,
    )
    account = spec.get("serviceAccountName")
    if account and not is_there(ACCOUNT, "ServiceAccount", account):
        raise _never(one, f"there is no service account '{account}'")
    devices = device_claims.claimed(request, one, spec, objects)
    for volume in spec.get("volumes") or []:
        used = volume.get("configMap") or {}
        name = used.get("name")
        if name and not used.get("optional") and not is_there(CONFIG_MAP, "ConfigMap", name):
            raise _never(one, f"there is no config map '{name}'")
        claim = (volume.get("persistentVolumeClaim") or {}).get("claimName")
        if claim and not is_there(CLAIM, "PersistentVolumeClaim", claim):
            raise _never(one, f"there is no persistent volume claim '{claim}'")
        _check_own_disk(where, one, volume)
    pod = dataclasses.replace(Pod.plain(spec), devices=devices)
    if one.kind != "DaemonSet" and not has_place(request, pod):
        raise _never(one, "no node pool takes its pods: look at node selectors, and at tolerations of taints")
    checkpoints.check_pod(request, one, spec, pod, objects)


def _check_own_disk(request: Request, one: Object, volume: Mapping[str, Any]) -> None:
    """A disk that a pod has for itself is made by a class, for a claim of the pod's."""
    template = (volume.get("ephemeral") or {}).get("volumeClaimTemplate") or {}
    name = (template.get("spec") or {}).get("storageClassName")
    if name and find_object(request, STORAGE_CLASS, name) is None:
        raise _never(one, f"there is no storage class '{name}'")
