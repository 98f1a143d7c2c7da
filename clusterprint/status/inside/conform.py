"""The differences of a cluster from its blueprint, in phases: versions, nodes, components, queues, storage.

Each difference has the field that says what is expected. Drivers, networks of GPUs, NVLink domains and the
bandwidth of NCCL are not compared: the API does not tell them for certain.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from clusterprint.access.inside import inside
from clusterprint.derived.quantities import amount
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.pools import PoolPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.plan.kubernetes import ChartPlan
from clusterprint.plan.part import StackPlan
from clusterprint.plan.ray.ray import RayPlan
from clusterprint.status.inside.objects import (
    Known,
    Object,
    condition,
    holds,
    name_of,
    namespace_of,
    part,
    read_objects,
)
from clusterprint.status.inside.places import Field, Places, Subject
from clusterprint.status.programs import Programs, Unasked

_POOL = "cloud.google.com/gke-nodepool"
_RELEASE = "meta.helm.sh/release-name"
_NUMBERS = re.compile(r"\d+")
_KINDS = tuple(
    (each,)
    for each in (
        *("nodes", "persistentvolumeclaims", "deployments.apps", "daemonsets.apps", "statefulsets.apps"),
        *("clusterqueues.kueue.x-k8s.io", "localqueues.kueue.x-k8s.io"),
    )
)
# What is read to compare each phase.
_READ_FOR = {
    "nodes": ("nodes",),
    "devices": ("nodes",),
    "components": ("deployments", "daemonsets", "statefulsets"),
    "queues": ("clusterqueues", "localqueues"),
    "storage": ("persistentvolumeclaims",),
}
# GKE: nodes may be two minor versions older than the control plane.
_OLDER = 2


class Difference(NamedTuple):
    """Something that is not as the blueprint says: its phase, object, a sentence, and the field."""

    phase: str
    object: str
    text: str
    field: Field | None


class Conformance(NamedTuple):
    """All differences, how much was compared, and what could not be read."""

    differences: tuple[Difference, ...]
    compared: int
    unknown: tuple[str, ...] = ()


class Check(NamedTuple):
    """One comparison; an empty `text` is no difference. `keys` are fields as `Places` names them."""

    phase: str
    object: str
    text: str
    keys: tuple[str, ...]
    pool: str = ""


def conform(plans: Sequence[StackPlan], places: Places, programs: Programs) -> Conformance:
    """Compares a cluster with its blueprint, through kubectl."""
    context, server = inside(plans).context, ""
    known = read_objects(context, programs, _KINDS)
    unknown = known.unknown
    if programs.simulated:
        known = known._replace(unread=known.unread | {each.partition(".")[0] for (each,) in _KINDS[1:]})
        unknown += ("components, queues, volumes: a simulated cloud has only nodes and jobs",)
    if len(known.unread) == len(_KINDS):
        return Conformance((), 0, unknown)
    try:
        said = json.loads(programs.text("kubectl", context, "version", "--output=json"))
        server = str(part(said, "serverVersion", "gitVersion") or "")
    except (Unasked, ValueError) as error:
        unknown += (f"version of the control plane: {error}",)
    found = compare(plans, places, known, server)
    return found._replace(unknown=unknown)


def compare(plans: Sequence[StackPlan], places: Places, known: Known, server: str) -> Conformance:
    """The same from objects that were read, and the version of the API server."""
    every = (each for plan in plans for each in _checks(plan, known, server))
    # What could not be read is not missing.
    checks = [each for each in every if known.unread.isdisjoint(_READ_FOR.get(each.phase, ()))]
    differences = [
        Difference(each.phase, each.object, each.text, places.field(each.keys, _about(each.pool)))
        for each in checks
        if each.text
    ]
    return Conformance(tuple(differences), len(checks))


def _about(pool: str) -> Subject:
    return Subject("", "", "", {_POOL: pool}, (), "")


def _checks(plan: StackPlan, known: Known, server: str) -> Iterator[Check]:
    if isinstance(plan, GkeClusterPlan):
        yield from _cluster(plan, known, server)
    if isinstance(plan, RayPlan) and plan.operator:
        yield from _component(plan.operator, known, "ray:operator_chart", "ray:")
    if isinstance(plan, GkeWorkloadsPlan):
        for chart in (*plan.charts, *((plan.queues.chart,) if plan.queues else ())):
            yield from _component(chart, known, f"workloads:{chart.key}.version", f"workloads:{chart.key}")
        for chart in plan.own_charts:
            # A chart of the user may have no controllers at all: only those that are there are compared.
            checks = _component(chart, known, "workloads:charts")
            yield from (each for each in checks if each.object != chart.key)
        yield from _queues(plan, known)
    if isinstance(plan, GkeWorkloadsPlan | RayPlan):
        for claim in plan.claims.claims if plan.claims else ():
            found = known.get("PersistentVolumeClaim", claim.namespace, claim.claim)
            phase = part(found, "status", "phase") if found else "missing"
            # Some volumes are created with the first pod that uses them.
            wrong = "" if phase in {"Bound", "Pending"} else f"is {phase}"
            yield Check("storage", f"claim {claim.namespace}/{claim.claim}", wrong, ("storage:volumes",))


def _cluster(plan: GkeClusterPlan, known: Known, server: str) -> Iterator[Check]:
    least = plan.control_plane.minimum_version if plan.control_plane else ""
    if server and least:
        older = f"runs {server}, at least {least} is required" if _numbers(server) < _numbers(least) else ""
        yield Check("versions", "control plane", older, ("cluster:version", "cluster:"))
    for pool in (plan.system_pool, *plan.pools):
        if pool is None:
            continue
        nodes = [each for each in known.of("Node") if part(each, "metadata", "labels").get(_POOL) == pool.key]
        least_nodes = 0 if pool.autoscaling else pool.nodes_per_zone * len(pool.zones)
        few = f"has {len(nodes)} of {least_nodes} nodes" if len(nodes) < least_nodes else ""
        yield Check("nodes", f"pool {pool.key}", few, ("pool:count", "pool:"), pool.key)
        for node in nodes:
            yield from _node(node, pool, server)


def _node(node: Object, pool: PoolPlan, server: str) -> Iterator[Check]:
    name, labels = f"node {name_of(node)}", part(node, "metadata", "labels")
    version = str(part(node, "status", "nodeInfo", "kubeletVersion") or "")
    if version and server:
        behind = _numbers(server)[1] - _numbers(version)[1]
        text = f"runs {version}, {behind} minor versions behind the control plane" if behind > _OLDER else ""
        yield Check("versions", name, text, ("pool:",), pool.key)
    wrong = "" if holds(node, "Ready") else f"is not ready: {condition(node, 'Ready').get('message', '')}"
    yield Check("nodes", name, wrong, ("pool:",), pool.key)
    machine = labels.get("node.kubernetes.io/instance-type", pool.node.machine_type)
    wrong = "" if machine == pool.node.machine_type else f"is a {machine}, not a {pool.node.machine_type}"
    yield Check("nodes", name, wrong, ("pool:machine_type",), pool.key)
    for resource, count in _devices(pool):
        has = amount(part(node, "status", "allocatable", resource) or 0)
        wrong = "" if has == count else f"offers {has:g} {resource}, not {count}"
        yield Check("devices", name, wrong, ("pool:machine_type",), pool.key)


def _devices(pool: PoolPlan) -> Iterator[tuple[str, int]]:
    """The devices of each node; of GPUs that are shared or split, the number is not that of the machine."""
    gpus, tpu = pool.node.accelerator, pool.node.tpu
    if gpus and not gpus.partition_size and not gpus.sharing_strategy:
        yield "nvidia.com/gpu", gpus.count
    if tpu:
        yield "google.com/tpu", tpu.chips_per_node


def _component(chart: ChartPlan, known: Known, *keys: str) -> Iterator[Check]:
    """A chart by its controllers: whether there are any, of the version, and ready."""
    mine = [
        each
        for kind in ("Deployment", "DaemonSet", "StatefulSet")
        for each in known.of(kind)
        if namespace_of(each) == chart.namespace
        and part(each, "metadata", "annotations").get(_RELEASE) == chart.name
    ]
    yield Check("components", chart.key, "" if mine else "has no controllers in the cluster", keys)
    for each in mine:
        name = f"{str(each['kind']).lower()} {chart.namespace}/{name_of(each)}"
        label = str(part(each, "metadata", "labels").get("helm.sh/chart", ""))
        other = _version(label, chart) not in {"", chart.version.removeprefix("v").replace("+", "_")}
        yield Check("components", name, f"is of {label}, not {chart.version}" if other else "", keys)
        status = part(each, "status")
        wanted = status.get("desiredNumberScheduled", part(each, "spec").get("replicas", 1))
        ready = status.get("numberReady", status.get("readyReplicas", 0))
        yield Check(
            "components", name, "" if ready >= wanted else f"{ready} of {wanted} pods are ready", keys
        )


def _version(label: str, chart: ChartPlan) -> str:
    """The version in a label of Helm, + written as _; empty for controllers of a chart inside the chart."""
    found = re.fullmatch(rf"{re.escape(chart.chart.rpartition('/')[2])}-v?(\d.*)", label)
    return found[1] if found else ""


def _queues(plan: GkeWorkloadsPlan, known: Known) -> Iterator[Check]:
    queues = plan.queues
    wanted = (
        []
        if queues is None
        else [
            *(("ClusterQueue", "", each.name) for each in queues.cluster_queues),
            *(("LocalQueue", each.namespace, each.name) for each in queues.local_queues),
        ]
    )
    for kind, namespace, name in wanted:
        found = known.get(kind, namespace, name)
        active = condition(found, "Active") if found else {}
        text = (
            "" if active.get("status") == "True" else str(active.get("message") or "is missing or not active")
        )
        yield Check(
            "queues", f"{kind} {namespace + '/' if namespace else ''}{name}", text, ("queues:local_queues",)
        )


def _numbers(version: str) -> list[int]:
    """The numbers of a version, at least two."""
    return [*map(int, _NUMBERS.findall(version)), 0, 0]


def as_data(found: Conformance) -> dict[str, Any]:
    """The same for tools."""
    return {
        "differences": [
            each._asdict() | {"field": each.field._asdict() if each.field else None}
            for each in found.differences
        ],
        "compared": found.compared,
        "unknown": list(found.unknown),
    }
