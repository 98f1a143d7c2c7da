"""Copies of what is in the cluster, kept up to date by watches."""

import logging
from collections.abc import Callable
from threading import Event, Lock
from typing import Any, Generic, TypeVar

from clusterprint_provisioner.cluster import Cluster
from clusterprint_provisioner.kube import (
    GONE,
    JOBS,
    JOBSETS,
    LEADER_WORKER_SETS,
    MISSING,
    NODES,
    PODS,
    RAY_CLUSTERS,
    ApiError,
    Kubernetes,
    Resource,
)
from clusterprint_provisioner.objects import Meta

T = TypeVar("T")
_LOG = logging.getLogger(__name__)
_WATCH_SECONDS = 300
_ABSENT_SECONDS = 60.0
_LONGEST_PAUSE = 30.0


class Copy(Generic[T]):
    """The objects of one kind. `changed` is called after each change."""

    def __init__(self, kube: Kubernetes, resource: Resource[T], changed: Callable[[], None]) -> None:
        self._kube, self._resource, self._changed = kube, resource, changed
        self._lock = Lock()
        self._objects: dict[tuple[str, str], T] = {}
        self._version = ""
        self.ready = Event()

    def items(self) -> tuple[T, ...]:
        """The objects, in the order of their names."""
        with self._lock:
            return tuple(self._objects[key] for key in sorted(self._objects))

    def refresh(self) -> None:
        """Read everything anew. A kind that the cluster does not know has no objects. Raises ApiError."""
        try:
            items, version = self._kube.list(self._resource)
        except ApiError as error:
            if error.status != MISSING:
                raise
            items, version = [], ""
        with self._lock:
            self._objects = {_key(each): each for each in items}
            self._version = version
        self.ready.set()
        self._changed()

    def follow(self, seconds: int = _WATCH_SECONDS) -> None:
        """Take in what changes, for so long. Raises ApiError; what changed until then is taken in."""
        for change in self._kube.watch(self._resource, self._version, seconds):
            if change.object is not None:
                with self._lock:
                    if change.gone:
                        self._objects.pop(_key(change.object), None)
                    else:
                        self._objects[_key(change.object)] = change.object
            self._version = change.version
            if change.object is not None:
                self._changed()

    def run(self, stop: Event) -> None:
        """Keep it up to date until told to stop."""
        failures = 0
        while not stop.is_set():
            try:
                if not self._version:
                    self.refresh()
                if not self._version:
                    stop.wait(_ABSENT_SECONDS)
                    continue
                self.follow()
                failures = 0
            except ApiError as error:
                if error.status == GONE:
                    self._version = ""
                    continue
                failures += 1
                _LOG.warning("%s: %s", self._resource.path, error)
                # After a few failures in a row nothing is taken for granted any more.
                if failures > 3:  # noqa: PLR2004 - any small number would do
                    self._version = ""
                    self.ready.clear()
                stop.wait(min(2.0**failures, _LONGEST_PAUSE))


class Copies:
    """All kinds that matter, as one."""

    def __init__(self, kube: Kubernetes, changed: Callable[[], None]) -> None:
        self._pods = Copy(kube, PODS, changed)
        self._jobs = Copy(kube, JOBS, changed)
        self._jobsets = Copy(kube, JOBSETS, changed)
        self._leader_worker_sets = Copy(kube, LEADER_WORKER_SETS, changed)
        self._ray_clusters = Copy(kube, RAY_CLUSTERS, changed)
        self._nodes = Copy(kube, NODES, changed)

    @property
    def each(self) -> tuple[Copy[Any], ...]:
        """Pods last: whoever sees a pod knows whose it is."""
        sets: tuple[Copy[Any], ...] = (self._jobsets, self._leader_worker_sets, self._ray_clusters)
        return (self._nodes, *sets, self._jobs, self._pods)

    @property
    def are_ready(self) -> bool:
        """Whether everything was read once; before, nothing may be decided."""
        return all(each.ready.is_set() for each in self.each)

    def cluster(self) -> Cluster:
        """The objects of this moment."""
        return Cluster(
            pods=self._pods.items(),
            jobs=self._jobs.items(),
            jobsets=self._jobsets.items(),
            leader_worker_sets=self._leader_worker_sets.items(),
            ray_clusters=self._ray_clusters.items(),
            nodes=self._nodes.items(),
        )


def _key(found: Any) -> tuple[str, str]:
    meta: Meta = found.metadata
    return meta.namespace, meta.name
