"""The field of a blueprint that a cause is about, and its line."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from clusterprint.derived import rolls
from clusterprint.document import Document, Place
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.plan.part import StackPlan
from clusterprint.plan.ray.ray import RayPlan

_QUEUES: Place = ("workloads", "kueue")
_POOLS: Place = ("node_pools",)
_PARTS: dict[str, Place] = {
    "queues": _QUEUES,
    "workloads": ("workloads",),
    "cluster": ("cluster",),
    "network": ("network",),
    "secrets": ("secrets",),
    "storage": ("storage",),
    "ray": ("ray",),
}
_POOL_LABEL = "cloud.google.com/gke-nodepool"
# How Kueue and GKE name a flavor or a pool in their texts.
_IN_TEXT = re.compile(r"(?:in flavor|flavor|affected nodepools:|nodepool) \"?([-a-z0-9.]+)")


class Field(NamedTuple):
    """A field in a file: its path in words, line and column counted from 1."""

    path: str
    file: str
    line: int
    column: int


class Subject(NamedTuple):
    """Values that a cause may name: job, namespace, queue, selectors, volumes, and the text of the cause."""

    job: str
    namespace: str
    queue: str
    selectors: Mapping[str, Any]
    volumes: Sequence[str]
    text: str


class Places:
    """The places of a blueprint by the names that objects of its cluster have."""

    def __init__(self, document: Document, plans: Sequence[StackPlan]) -> None:
        self.document = document
        self.jobs = dict(_jobs(document, plans))
        self._pools = {
            pool.key: pool.group
            for plan in plans
            if isinstance(plan, GkeClusterPlan)
            for pool in (plan.system_pool, *plan.pools)
            if pool
        }

    def field(self, keys: Sequence[str], subject: Subject) -> Field | None:
        """The first of some fields that is written, else the first that could be, with the line of its part.

        A key is a part and its field: `pool:autoscaling.max`. None if the blueprint has none of the parts.
        """
        bases: list[Place] = []
        wanted: list[tuple[Place, Place]] = []
        for part, _, path in (key.partition(":") for key in keys):
            base = self._part(part, subject)
            if base is None or not self.document.has(base):
                continue
            bases.append(base)
            # A pool that is not known by name has no fields.
            place = (*base, *path.split(".")) if base != _POOLS else base
            if path and self.document.has(place):
                return self._at(place, place)
            wanted += [(base, place)] if path else []
        missing = wanted or [(base, base) for base in bases]
        return self._at(*missing[0]) if missing else None

    def _at(self, near: Place, wanted: Place) -> Field:
        label = self.document.key_label(near)
        span = label.span
        path = ".".join(str(self._name(wanted[: at + 1])) for at in range(len(wanted)))
        return Field(path, label.file, span.line if span else 1, span.column if span else 1)

    def _name(self, place: Place) -> str | int:
        """A key, or the name of an item of a list."""
        if isinstance(place[-1], str):
            return place[-1]
        item = _value(self.document.data, place)
        return str(item.get("name", place[-1])) if isinstance(item, Mapping) else place[-1]

    def _part(self, part: str, subject: Subject) -> Place | None:
        if part == "job":
            return self.jobs.get(subject.job)
        if part == "pool":
            return self._pool(subject)
        if part == "queue":
            own = {"name": subject.queue, "namespace": subject.namespace}
            at = self._named(
                (*_QUEUES, "local_queues"),
                lambda each: own == {"namespace": "default"} | {key: each[key] for key in own if key in each},
            )
            return at or _QUEUES
        if part == "volume":
            volumes: Place = ("storage", "volumes")
            return self._named(
                volumes, lambda each: any(each.get("name") in name for name in subject.volumes)
            )
        return _PARTS.get(part)

    def _pool(self, subject: Subject) -> Place | None:
        named = _IN_TEXT.findall(subject.text)
        keys = [*named, str(subject.selectors.get(_POOL_LABEL, ""))]
        groups = [self._pools.get(key, rolls.pool_of(key)) for key in keys]
        found = self._named(_POOLS, lambda each: each.get("name") in groups)
        job = self.jobs.get(subject.job)
        pool = _value(self.document.data, (*job, "node_pool")) if job else None
        if found is None and pool:
            found = self._named(_POOLS, lambda each: each.get("name") == pool)
        return found or _POOLS

    def _named(self, place: Place, fits: Any) -> Place | None:
        found = _value(self.document.data, place)
        for at, each in enumerate(found if isinstance(found, list) else ()):
            if isinstance(each, Mapping) and each.get("name") and fits(each):
                return (*place, at)
        return None


def _value(data: Any, place: Place) -> Any:
    for key in place:
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _jobs(document: Document, plans: Sequence[StackPlan]) -> Any:
    """The place of each job by its names: that in the blueprint, and that of its object."""
    content = plans[-1]
    lists: list[tuple[Place, dict[str, str]]] = []
    if isinstance(content, GkeWorkloadsPlan):
        lists = [
            (
                ("workloads", "mpi", "jobs"),
                {each.name: each.key for each in content.mpi.jobs} if content.mpi else {},
            ),
            *(
                (("workloads", each), {job.name: job.key for job in content.jobsets})
                for each in ("jobsets", "train_jobs")
            ),
            (
                ("workloads", "leader_worker_sets"),
                {each.name: each.name for each in content.leader_worker_sets},
            ),
        ]
    if isinstance(content, RayPlan):
        lists = [
            (("ray", "jobs"), {run: each.name for each in content.jobs for run in (each.name, each.run)}),
            (("ray", "services"), {each.name: each.name for each in content.services}),
        ]
        yield content.ray, ("ray",)
    for place, names in lists:
        written = _value(document.data, place)
        at = {
            each.get("name"): index for index, each in enumerate(written or ()) if isinstance(each, Mapping)
        }
        for name, key in names.items():
            if key in at:
                yield name, (*place, at[key])
                yield key, (*place, at[key])
