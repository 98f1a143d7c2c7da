"""The pods that manifests make, as far as rules about where they fit look at them."""

import math
from typing import Any, NamedTuple

from clusterprint import catalog
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.components import Manifest
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import names, node_pools
from clusterprint.derived.quantities import amount
from clusterprint.diagnostic import Label
from clusterprint.rules import _texts
from clusterprint.rules.gke._gpus import gpu_of
from clusterprint.rules.gke._workloads import Carried, all_objects
from clusterprint.rules.kit import Context, Iterator, given

TPU = "google.com/tpu"
GPU = "nvidia.com/gpu"

_TOPOLOGY = "cloud.google.com/gke-tpu-topology"
_TPU_TYPE = "cloud.google.com/gke-tpu-accelerator"
_GPU_TYPE = "cloud.google.com/gke-accelerator"
_COMPUTE_CLASS = "cloud.google.com/compute-class"
_POOL = "cloud.google.com/gke-nodepool"
_SPOT = "cloud.google.com/gke-spot"

_COUNTED = frozenset(("cpu", "memory", GPU, TPU))
_REPLICATED = frozenset(("Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"))


class Pods(NamedTuple):
    """Pods of one template.

    `each` of them are made by one job, or all in all where there is no job; None where that is not known.
    `jobs` is the number of such jobs, all of which run at a time, or None for pods that do not wait for
    each other. `queue` is the queue of Kueue that they wait in, if any.
    """

    manifest: Manifest
    name: str
    line: int
    spec: dict[str, Any]
    each: int | None
    jobs: int | None = None
    queue: str = ""

    @property
    def selector(self) -> dict[str, Any]:
        """The labels that a node must have."""
        return _map(self.spec, "nodeSelector")

    @property
    def topology(self) -> str:
        """The TPU topology that is asked for, or an empty text."""
        return str(self.selector.get(_TOPOLOGY, ""))

    @property
    def tpu_type(self) -> str:
        """The TPU type that is asked for, as nodes are labelled, or an empty text."""
        return str(self.selector.get(_TPU_TYPE, ""))

    @property
    def gpu_type(self) -> str:
        """The GPU that is asked for, as nodes are labelled, or an empty text."""
        return str(self.selector.get(_GPU_TYPE, ""))

    def asks_for(self, resource: str) -> int:
        """How many of a resource one pod asks for; 0 if none, or what is no number."""
        return sum(_amount(each, resource) for each in _maps(self.spec, "containers"))

    @property
    def compute_class(self) -> str:
        """The compute class that is asked for, or an empty text."""
        return str(self.selector.get(_COMPUTE_CLASS, ""))

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is not known where they run: by affinity, on TPUs, or on each node."""
        affinity = _map(self.spec, "affinity").get("nodeAffinity")
        return bool(affinity) or self.name.startswith("DaemonSet ") or self.asks_for(TPU) > 0

    @property
    def cpus(self) -> float:
        """The vCPUs that one pod requests."""
        return sum(_quantity(each, "cpu") for each in _maps(self.spec, "containers"))

    @property
    def memory_gib(self) -> float:
        """The memory that one pod requests, in GiB."""
        return sum(_quantity(each, "memory") for each in _maps(self.spec, "containers")) / (1 << 30)

    @property
    def requested(self) -> bool:
        """Whether a container asks for something that queues count."""
        return any(
            not _COUNTED.isdisjoint(_map(_map(each, "resources"), part))
            for each in (*_maps(self.spec, "containers"), *_maps(self.spec, "initContainers"))
            for part in ("requests", "limits")
        )

    def place(self, context: Context[GkeBlueprint]) -> Label:
        """Where the blueprint names what makes them."""
        return context.at(self.manifest, _texts.field(self.manifest))

    @property
    def where(self) -> str:
        """The name of the pods: `JobSet train (workers) in ./train.yml, line 3`."""
        return f"{self.name} in {_texts.name(self.manifest)}, line {self.line},"

    @property
    def one(self) -> str:
        """The name of one of them: `a pod of JobSet train (workers) in ./train.yml, line 3,`."""
        return self.where if self.name.startswith("Pod ") else f"a pod of {self.where}"


def all_pods(context: Context[GkeBlueprint]) -> Iterator[Pods]:
    """The pods of all manifests that can be read."""
    for carried in all_objects(context):
        yield from _pods_of(carried)


def _pods_of(carried: Carried) -> Iterator[Pods]:
    manifest, found = carried
    kind, spec = found.kind, _map(found.content, "spec")
    queue = str(_map(_map(found.content, "metadata"), "labels").get("kueue.x-k8s.io/queue-name", ""))

    def made(inner: dict[str, Any], each: int | None, jobs: int | None = None, part: str = "") -> Pods:
        name = f"{kind} {found.name}{f' ({part})' if part else ''}"
        return Pods(manifest, name, found.line, inner, each, jobs, queue)

    if kind == "Pod":
        yield made(spec, 1)
    elif kind in _REPLICATED:
        yield made(_template(spec), _number(spec, "replicas"))
    elif kind == "DaemonSet":
        yield made(_template(spec), None)
    elif kind == "Job":
        yield made(_template(spec), _number(spec, "parallelism"), 1)
    elif kind == "CronJob":
        job = _map(_map(spec, "jobTemplate"), "spec")
        yield made(_template(job), _number(job, "parallelism"), 1)
    elif kind == "JobSet":
        for replicated in _maps(spec, "replicatedJobs"):
            job = _map(_map(replicated, "template"), "spec")
            part = str(replicated.get("name", ""))
            yield made(_template(job), _number(job, "parallelism"), _number(replicated, "replicas"), part)


# ---- which pools they may run on


def pools_for(pods: Pods, context: Context[GkeBlueprint]) -> list[NodePool] | None:
    """The pools that the pods may run on, as far as they choose; None where that cannot be known.

    It cannot be known where nodes are made for pods by other means, or a machine type is not known.
    """
    blueprint = context.blueprint
    if not all(node_pools.machine(pool) or node_pools.tpu(pool) for pool in blueprint.node_pools):
        return None
    if given(blueprint.workloads.tpu_provisioner) and (pods.topology or pods.asks_for(TPU)):
        return None
    pools = list(blueprint.node_pools)
    if _COMPUTE_CLASS in pods.selector:
        wanted = str(pods.selector[_COMPUTE_CLASS])
        found = next((each for each in blueprint.compute_classes if each.name == wanted), None)
        if found is None or found.when_unsatisfiable == "scale_up_anyway":
            return None
        pools = [pool for pool in pools if pool.name in found.prefer]
    return [pool for pool in pools if _has(pool, pods)]


def _has(pool: NodePool, pods: Pods) -> bool:
    """Whether the nodes of a pool have the labels that pods select, as far as the blueprint makes them."""
    tpu, gpu = node_pools.tpu(pool), gpu_of(pool)
    slices = node_pools.slices(pool)
    keys = [names.slice_pool(pool.name, index) for index in range(slices)] if slices > 1 else [pool.name]
    if node_pools.is_rolled(pool):
        keys = [""]  # each generation has another name
    topology = pool.tpu.topology if given(pool.tpu) else ""
    return (
        pods.topology in ("", topology)
        and pods.tpu_type in ("", tpu[0].accelerator_label if tpu else "")
        and pods.gpu_type in ("", gpu.accelerator_type if gpu else "")
        and pods.selector.get(_POOL, keys[0]) in keys
        and pods.selector.get(node_pools.SLICES_LABEL, pool.name) == pool.name
        and (_SPOT not in pods.selector or pool.capacity.model == "spot")
    )


def gpus_of_node(pool: NodePool) -> int | None:
    """The most GPUs that pods can ask a node of a pool for; None where GPUs are cut into partitions."""
    machine = catalog.machine(pool.machine_type)
    if machine is None or given(pool.gpu.partition_size):
        return None
    # a share of a GPU is one GPU to Kubernetes
    gpus = pool.guest_accelerator.count if given(pool.guest_accelerator) else math.ceil(machine.gpus)
    return gpus * (pool.gpu.sharing.max_clients if given(pool.gpu.sharing) else 1)


# ---- reading what may be anything


def _template(spec: dict[str, Any]) -> dict[str, Any]:
    return _map(_map(spec, "template"), "spec")


def _map(content: dict[str, Any], key: str) -> dict[str, Any]:
    value = content.get(key)
    return value if isinstance(value, dict) else {}


def _maps(content: dict[str, Any], key: str) -> list[dict[str, Any]]:
    value = content.get(key)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _number(content: dict[str, Any], key: str) -> int | None:
    """A number that is 1 by default; None for what is none."""
    value = content.get(key, 1)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _quantity(container: dict[str, Any], resource: str) -> float:
    """The vCPUs or bytes that a container requests; 0 for nothing, and for a text that is no quantity."""
    resources = _map(container, "resources")
    return amount(_map(resources, "requests").get(resource, _map(resources, "limits").get(resource, 0)))


def _amount(container: dict[str, Any], resource: str) -> int:
    resources = _map(container, "resources")
    value = _map(resources, "limits").get(resource, _map(resources, "requests").get(resource, 0))
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < len("1000000") else 0
