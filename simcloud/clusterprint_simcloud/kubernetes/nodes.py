"""Which nodes a cluster has or can have, and whether a pod may run on any of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from clusterprint_simcloud.cloud.behaviour import Request, State
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.google.gke import capacity, hardware, managed_networks, tpus
from clusterprint_simcloud.google.gke.places import pools_of, zones_of_pool
from clusterprint_simcloud.google.scheduling import block
from clusterprint_simcloud.kubernetes.cluster import record_of

# Documentation "Run GPUs" and "Deploy TPU workloads": what GKE puts on these nodes by itself.
_GPU, _TPU = "nvidia.com/gpu", "google.com/tpu"
_GPU_TAINT = (_GPU, "present", "NoSchedule")
_TPU_TAINT = (_TPU, "present", "NoSchedule")
# A GPU in partitions is more than one; into how many is not counted here.
_MANY = 64
_EFFECTS = {"NO_SCHEDULE": "NoSchedule", "NO_EXECUTE": "NoExecute"}
# Whatever zones, versions and the like a selector asks for is believed.
_KNOWN_LABELS = (
    "cloud.google.com/gke-nodepool",
    "cloud.google.com/gke-accelerator",
    "gke.networks.io/accelerator-network-profile",
)


@dataclass(frozen=True)
class Pod:
    """The fields of a pod that the scheduler reads."""

    selector: Mapping[str, Any] = field(default_factory=dict)
    tolerations: Sequence[Mapping[str, Any]] = ()
    resources: Mapping[str, int] = field(default_factory=dict)  # extended ones, for all containers
    devices: Mapping[str, int] = field(default_factory=dict)  # network devices by class; 0 for all there are

    @classmethod
    def typed(cls, spec: State) -> Self:
        """A pod in the words of the Terraform types."""
        blocks = [one for each in spec.get("container") or [] for one in each.get("resources") or []]
        asked = [{**(one.get("requests") or {}), **(one.get("limits") or {})} for one in blocks]
        return cls(spec.get("node_selector") or {}, spec.get("toleration") or [], _extended(asked))

    @classmethod
    def plain(cls, spec: Mapping[str, Any]) -> Self:
        """A pod in the words of Kubernetes."""
        found = [each.get("resources") or {} for each in spec.get("containers") or []]
        asked = [{**(one.get("requests") or {}), **(one.get("limits") or {})} for one in found]
        return cls(spec.get("nodeSelector") or {}, spec.get("tolerations") or [], _extended(asked))

    def tolerates(self, key: str, value: str, effect: str) -> bool:
        """Whether a taint keeps the pod away.

        GKE tolerates taints that are named after resources that a pod asks for (ExtendedResourceToleration),
        and those of the compute class that it selects.
        """
        if key in self.resources or self.selector.get(key) == value != "":
            return True
        return any(_tolerates(one, key, value, effect) for one in self.tolerations)


def _extended(asked: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The extended resources of all containers together; they are counted in whole ones."""
    total: dict[str, int] = {}
    for one in asked:
        for name, amount in one.items():
            if "/" in name and str(amount).isdigit():
                total[name] = total.get(name, 0) + int(amount)
    return total


def _tolerates(toleration: Mapping[str, Any], key: str, value: str, effect: str) -> bool:
    if toleration.get("effect") not in (None, "", effect):
        return False
    if toleration.get("operator") == "Exists":
        return toleration.get("key") in (None, "", key)
    return toleration.get("key") == key and (toleration.get("value") or "") == value


@dataclass(frozen=True)
class Nodes:
    """The nodes of one pool, as the scheduler sees them."""

    labels: dict[str, str]
    taints: frozenset[tuple[str, str, str]]  # key, value, effect
    most: int
    resources: Mapping[str, int]  # how many GPUs or TPU chips a node has
    devices: tuple[str, int | None] | None  # the class of network devices, and how many if that is known

    def takes(self, pod: Pod) -> bool:
        """Whether a pod may run here: selectors match, and all taints are tolerated."""
        known = {name: one for name, one in pod.selector.items() if name in (*_KNOWN_LABELS, *self.labels)}
        matching = all(self.labels.get(name) == one for name, one in known.items())
        tolerated = all(pod.tolerates(*taint) for taint in self.taints)
        return matching and tolerated and self._has(pod) and self._hands_out(pod)

    def _hands_out(self, pod: Pod) -> bool:
        kind, most = self.devices or ("", 0)
        return all(name == kind and (most is None or count <= most) for name, count in pod.devices.items())

    def _has(self, pod: Pod) -> bool:
        """GPUs are enough; TPU chips are all or none (documentation "Plan TPUs in GKE")."""
        gpus, chips = pod.resources.get(_GPU, 0), pod.resources.get(_TPU, 0)
        return gpus <= self.resources.get(_GPU, 0) and chips in (0, self.resources.get(_TPU, 0))


def nodes_of(request: Request) -> Iterator[Nodes]:
    """The pools of the cluster of the request that have nodes, or can grow to have some."""
    cluster = record_of(request)
    for pool in pools_of(request.contents, cluster):
        found = _nodes(cluster, pool)
        if found.most:
            yield found


def _nodes(cluster: Record, pool: Record) -> Nodes:
    node = block(pool.state, "node_config")
    zones = len(zones_of_pool(cluster, pool.state))
    size = max(capacity.first_size(pool.state) * zones, capacity.most(pool.state, zones) or 0)
    labels = {"cloud.google.com/gke-nodepool": str(pool.state["name"]), **(node.get("labels") or {})}
    taints = {
        (str(one["key"]), str(one.get("value") or ""), _EFFECTS[one["effect"]])
        for one in node.get("taint") or []
        if one.get("effect") in _EFFECTS
    }
    accelerators = node.get("guest_accelerator") or []
    resources = {}
    if accelerators:
        resources[_GPU] = _gpus(accelerators[0])
        labels["cloud.google.com/gke-accelerator"] = str(accelerators[0]["type"])
        taints.add(_GPU_TAINT)
    if tpus.is_tpu(hardware.machine_type(node)):
        resources[_TPU] = tpus.chips(hardware.machine_type(node))
        taints.add(_TPU_TAINT)
    return Nodes(labels, frozenset(taints), size, resources, managed_networks.devices(pool.state))


def _gpus(accelerator: State) -> int:
    """How many GPUs a node offers to its pods; shared ones count as often as they are shared."""
    shares = block(accelerator, "gpu_sharing_config").get("max_shared_clients_per_gpu") or 1
    parts = _MANY if accelerator.get("gpu_partition_size") else 1
    return int(accelerator["count"]) * int(shares) * parts


def is_automatic(request: Request) -> bool:
    """Whether the cluster makes the nodes that its pods need, or has had nodes before all simulation."""
    cluster = record_of(request)
    state = cluster.state
    return cluster.builtin or bool(
        state.get("enable_autopilot") or block(state, "cluster_autoscaling").get("enabled")
    )


def has_place(request: Request, pod: Pod) -> bool:
    """Whether there are or can be nodes on which a pod may run."""
    return is_automatic(request) or any(one.takes(pod) for one in nodes_of(request))
