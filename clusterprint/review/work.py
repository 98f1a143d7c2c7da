"""Workloads of a cluster as boxes and lines of its diagram: queues, jobs, Ray clusters, services."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta, Resource, Values, blocks, get
from clusterprint.review.model import Box, Link, Status
from clusterprint.review.objects import Object, objects_of

_QUEUE, _ENTRANCE, _FLAVOR = "ClusterQueue", "LocalQueue", "ResourceFlavor"
_WORK = {
    "MPIJob": "MPI job", "JobSet": "JobSet", "LeaderWorkerSet": "LeaderWorkerSet", "Job": "job",
    "TrainJob": "TrainJob",
    "CronJob": "job on a schedule", "Deployment": "deployment", "StatefulSet": "stateful set",
    "RayCluster": "Ray cluster", "RayJob": "Ray job", "RayService": "Ray service",
}  # fmt: skip
_QUEUE_LABEL = "kueue.x-k8s.io/queue-name"
_RAY_LABEL = "ray.io/cluster"
_EVERYWHERE = ("cpu", "memory")  # granted with every machine: what people queue for is the rest


class Pool(NamedTuple):
    """A pool of machines in the diagram: the id of its box, and the labels of its nodes."""

    id: str
    labels: Mapping[str, str]


class _Part(NamedTuple):
    """An object that may have a box, and what happens to it."""

    id: str
    object: Object
    status: Status

    @property
    def name(self) -> str:
        return str(get(self.object.content, "metadata.name", ""))

    @property
    def namespace(self) -> str:
        return str(get(self.object.content, "metadata.namespace", "default"))


def work(scene: ComparedCluster, pools: Sequence[Pool]) -> tuple[list[Box], list[Link]]:
    """The boxes of queues and workloads, the lines from workloads to queues and from both to pools."""
    parts = [part for delta in scene.deltas for part in _parts(delta)]
    queues = {part.name: part for part in parts if part.object.kind == _QUEUE}
    jobs = [part for part in parts if part.object.kind in _WORK]
    entrances = {
        (part.namespace, part.name): str(get(part.object.content, "spec.clusterQueue", ""))
        for part in parts
        if part.object.kind == _ENTRANCE
    }
    boxes = [
        *(_queue(part, entrances) for part in queues.values()),
        *(_job(part) for part in jobs),
    ]
    return boxes, [
        *(link for part in queues.values() for link in _grants(part, parts, pools)),
        *(link for part in jobs for link in _needs(part, parts, queues, entrances, pools)),
    ]


def _parts(delta: Delta) -> Iterator[_Part]:
    """The objects of a resource before and after, each once."""
    was, now = (_by_title(side) for side in (delta.before, delta.after))
    gone = delta.action in ("removed", "forgotten")
    for title, each in {**was, **now}.items():
        old, new = was.get(title), None if gone else now.get(title)
        status: Status = "changed"
        if old is None or new is None:
            status = "added" if new else "removed"
        elif old.content == new.content:
            status = "replaced" if delta.action == "replaced" else "unchanged"
        yield _Part(f"{delta.resource.stack}/{delta.resource.address}#{title}", each, status)


def _by_title(resource: Resource | None) -> dict[str, Object]:
    """Objects by namespace, kind and name; what Terraform has types for is an operator, not work."""
    found = objects_of(resource) if resource else ()
    return {
        f"{get(each.content, 'metadata.namespace', '')}/{each.title}": each
        for each in found
        if not each.typed
    }


def _queue(part: _Part, entrances: Mapping[tuple[str, str], str]) -> Box:
    namespaces = sorted({namespace for (namespace, _), queue in entrances.items() if queue == part.name})
    lines = [f"for {', '.join(namespaces)}"] if namespaces else []
    lines += _quotas(part.object.content)
    return Box(id=part.id, sort="queue", title=part.name, lines=tuple(lines), status=part.status)


def _quotas(content: Values) -> Iterator[str]:
    for flavor in _flavors(content):
        for resource in blocks(flavor, "resources"):
            name, quota = str(resource.get("name")), str(resource.get("nominalQuota"))
            if name not in _EVERYWHERE and quota != "0":
                yield f"{quota} {name} on {flavor.get('name')}"


def _flavors(content: Values) -> Iterator[Values]:
    for group in blocks(content, "spec.resourceGroups"):
        yield from blocks(group, "flavors")


def _job(part: _Part) -> Box:
    queue = _queue_name(part)
    lines = [_WORK[part.object.kind], f"in namespace {part.namespace}"]
    lines += [f"queue {queue}"] if queue else []
    return Box(id=part.id, sort="workload", title=part.name, lines=tuple(lines), status=part.status)


def _queue_name(part: _Part) -> str:
    labels = get(part.object.content, "metadata.labels")
    return str(labels.get(_QUEUE_LABEL, "")) if isinstance(labels, Mapping) else ""


def _grants(queue: _Part, parts: list[_Part], pools: Sequence[Pool]) -> Iterator[Link]:
    """A queue grants the machines of its flavors, or borrows them where all of its own quota is 0."""
    granted: dict[str, bool] = {}
    for flavor in _flavors(queue.object.content):
        own = any(str(each.get("nominalQuota")) != "0" for each in blocks(flavor, "resources"))
        granted[str(flavor.get("name"))] = own
    for part in parts:
        if part.object.kind == _FLAVOR and part.name in granted:
            text = "grants" if granted[part.name] else "borrows"
            for pool in _selected(get(part.object.content, "spec.nodeLabels"), pools):
                yield Link(start=queue.id, end=pool, text=text, status=queue.status)


def _needs(
    job: _Part,
    parts: list[_Part],
    queues: Mapping[str, _Part],
    entrances: Mapping[tuple[str, str], str],
    pools: Sequence[Pool],
) -> Iterator[Link]:
    queue = queues.get(entrances.get((job.namespace, _queue_name(job)), ""))
    if queue:
        yield Link(start=job.id, end=queue.id, text="waits in", status=job.status)
    of_pods = [job.object.content, *_runtimes(job, parts)]
    for pool in sorted({id_ for each in _selectors(of_pods) for id_ in _selected(each, pools)}):
        yield Link(start=job.id, end=pool, text="runs on", status=job.status)
    selected = get(job.object.content, "spec.clusterSelector")
    on = selected.get(_RAY_LABEL) if isinstance(selected, Mapping) else None
    for other in parts:
        if on and (other.object.kind, other.namespace, other.name) == ("RayCluster", job.namespace, on):
            yield Link(start=job.id, end=other.id, text="runs on", status=job.status)


def _runtimes(job: _Part, parts: list[_Part]) -> Iterator[Values]:
    """The runtime that has the pods of a TrainJob."""
    named = get(job.object.content, "spec.runtimeRef.name")
    for each in parts:
        if (each.object.kind, each.namespace, each.name) == ("TrainingRuntime", job.namespace, named):
            yield each.object.content


def _selected(selector: Any, pools: Sequence[Pool]) -> Iterator[str]:
    """The pools whose nodes have the labels of a selector; labels that no pool sets are not looked at."""
    known = {key for pool in pools for key in pool.labels}
    wanted = selector.items() if isinstance(selector, Mapping) else ()
    asked = {key: value for key, value in wanted if key in known}
    if asked:
        yield from (pool.id for pool in pools if asked.items() <= pool.labels.items())


def _selectors(content: Any) -> Iterator[Mapping[str, Any]]:
    """The node selectors of pods, wherever their templates are in an object."""
    if isinstance(content, list):
        for each in content:
            yield from _selectors(each)
    elif isinstance(content, Mapping):
        for key, each in content.items():
            if key == "nodeSelector" and isinstance(each, Mapping):
                yield each
            else:
                yield from _selectors(each)
