"""One round: look, decide, do. Whatever interrupts it, the next round goes on from what is there."""

import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from clusterprint_provisioner.actions import CONDITION, Action, Create, Delete, Remember, Say, Tell
from clusterprint_provisioner.cluster import Cluster
from clusterprint_provisioner.container import CloudError, Container
from clusterprint_provisioner.decide import decide
from clusterprint_provisioner.demand import demands
from clusterprint_provisioner.failures import ELSEWHERE, failure_of
from clusterprint_provisioner.kube import ApiError, Kubernetes
from clusterprint_provisioner.marks import Marks, Now
from clusterprint_provisioner.metrics import Metrics
from clusterprint_provisioner.objects import JobSet
from clusterprint_provisioner.pools import Operation, Pool, body
from clusterprint_provisioner.records import Record, after
from clusterprint_provisioner.settings import Settings
from clusterprint_provisioner.world import World

_LOG = logging.getLogger(__name__)
#: How long what was asked for is believed to be under way though the cloud shows nothing of it.
_UNSEEN = 120.0
#: How old the list of pools may be while there is nothing to do.
_STALE = 60.0


_WRONG, _NOT_NOW, _BROKEN = 400, 429, 500


class Deposed(Exception):  # noqa: N818 - not an error
    """Another one works now."""


class Controller:
    """Carries out what is decided. `leads` is asked before anything is changed."""

    def __init__(
        self,
        kube: Kubernetes,
        container: Container,
        settings: Settings,
        clock: Callable[[], Now],
        leads: Callable[[], bool],
    ) -> None:
        self._kube, self._container, self._settings = kube, container, settings
        self._clock, self._leads = clock, leads
        self.metrics = Metrics()
        self._marks = Marks()
        self._started: dict[str, tuple[str, float]] = {}
        self._records: dict[str, Record] | None = None
        self._told: set[str] = set()
        self._said: dict[str, tuple[Say, str | None]] = {}
        self._seen: tuple[tuple[Pool, ...], tuple[Operation, ...]] = ((), ())
        self._seen_at = float("-inf")

    def round(self, cluster: Cluster) -> bool:
        """Look, decide, do; whether something is under way. Raises ApiError, CloudError and Deposed."""
        now = self._clock()
        if not self._is_needed(cluster, now):
            return False
        try:
            return self._round(cluster, now)
        except BaseException:
            # What was written is not sure, and another one may have written since.
            self._records = None
            raise

    def _round(self, cluster: Cluster, now: Now) -> bool:
        pools, operations = self._container.pools(), self._container.operations()
        self._seen, self._seen_at = (pools, operations), now.steady
        self._settle(operations, now)
        if self._records is None:
            self._records = self._kube.records()
        world = World(cluster, pools, operations, self._records, frozenset(self._started))
        decision = decide(world, self._settings, now, self._marks)
        self.metrics.observe(world)
        jobsets = {each.metadata.uid: each for each in cluster.jobsets}
        for action in decision.actions:
            if not self._leads():
                raise Deposed
            self._do(action, world, jobsets, now)
        # What is told of in this round is all that can be told of in the next; the rest may be forgotten.
        self._told &= {each.key for each in decision.actions if isinstance(each, Tell)}
        self._said = {uid: said for uid, said in self._said.items() if uid in jobsets}
        return decision.busy

    def _is_needed(self, cluster: Cluster, now: Now) -> bool:
        """Whether the cloud has to be asked: a job waits, there is a pool of ours, or it was long ago."""
        if now.steady - self._seen_at >= _STALE or self._started:
            return True
        wanted, refused = demands(cluster, self._settings)
        return bool(wanted or refused or any(pool.identity for pool in self._seen[0]))

    def _settle(self, operations: tuple[Operation, ...], now: Now) -> None:
        """Forget what was started once the cloud shows it."""
        shown = {each.name for each in operations}
        self._started = {
            pool: (operation, since)
            for pool, (operation, since) in self._started.items()
            if operation not in shown and now.steady - since < _UNSEEN
        }

    def _do(self, action: Action, world: World, jobsets: dict[str, JobSet], now: Now) -> None:
        match action:
            case Create():
                self._create(action, world, now)
            case Delete():
                self._delete(action, now)
            case Remember():
                self._remember(action)
            case Tell():
                self._tell(action)
            case Say():
                self._say(action, jobsets.get(action.uid))

    def _remember(self, action: Remember) -> None:
        # Where it cannot be kept, as in a ConfigMap that is full, it is known until the next restart.
        with _spoken_in_vain():
            self._kube.remember(action.pool, action.record)
        records = {} if self._records is None else dict(self._records)
        records.pop(action.pool, None)
        if action.record is not None:
            records[action.pool] = action.record
            self.metrics.failed(action.record.reason)
        self._records = records

    def _create(self, action: Create, world: World, now: Now) -> None:
        name = action.demand.identity.pool
        _LOG.info("create %s for %s, %s", name, action.demand.identity.shown, action.offer.shown)
        try:
            operation = self._container.create(
                body(action.demand, action.offer, action.attempt, self._settings)
            )
        except CloudError as error:
            failure = failure_of(error.message, status=error.status)
            # Another offer may do, and the next round tries it; anything else is about all of them.
            if failure.reason == "Busy":
                return
            if error.status == 0 or failure.reason not in ELSEWHERE:
                raise
            record = after(
                world.records.get(name),
                failure,
                handled="",
                offers=len(action.demand.offers),
                now=now.wall,
            )
            self._remember(Remember(name, record))
            key = f"{name} {failure.reason} {record.failures}"
            text = f"{name}: {failure.message}"
            told = Tell(action.demand.identity, f"NodePool{failure.reason}", text, key, warning=True)
            self._tell(told)
            return
        self.metrics.created()
        self._started[name] = (operation or f"unseen {name}", now.steady)
        self._tell(action.told)

    def _delete(self, action: Delete, now: Now) -> None:
        _LOG.info("delete %s of %s: %s", action.pool, action.identity.shown, action.why)
        try:
            operation = self._container.delete(action.pool)
        except CloudError as error:
            if error.status == 0 or failure_of(error.message, status=error.status).reason == "Unavailable":
                raise
            # Something else is done to the cluster, or this one pool cannot be deleted: the others go on.
            _LOG.warning("could not delete %s: %s", action.pool, error)
            return
        self.metrics.deleted()
        self._started[action.pool] = (operation or f"unseen {action.pool}", now.steady)
        self._tell(action.told)

    def _tell(self, action: Tell) -> None:
        if action.key in self._told:
            return
        uid = hashlib.sha256(action.key.encode()).hexdigest()[:16]
        with _spoken_in_vain():
            self._kube.tell(action, uid, datetime.fromtimestamp(self._clock().wall, UTC))
        self._told.add(action.key)

    def _say(self, action: Say, jobset: JobSet | None) -> None:
        """Set a condition that is another one than there is. Its time is when its status changed."""
        there = jobset and next((each for each in jobset.status.conditions if each.type == CONDITION), None)
        last = self._said.get(action.uid)
        if last and last[0] == action:
            return
        if there and (there.status, there.reason, there.message) == (
            action.status,
            action.reason,
            action.message,
        ):
            self._said[action.uid] = (action, there.last_transition_time)
            return
        status, since = (last[0].status, last[1]) if last else ("", "")
        if not last and there:
            status, since = there.status, there.last_transition_time
        if status != action.status or not since:
            since = datetime.fromtimestamp(self._clock().wall, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        with _spoken_in_vain():
            self._kube.say(action, since)
        self._said[action.uid] = (action, since)


@contextmanager
def _spoken_in_vain() -> Iterator[None]:
    """Write an event or a record; a refusal, as in a namespace that is deleted, delays nothing else."""
    try:
        yield
    except ApiError as error:
        if not _WRONG <= error.status < _BROKEN or error.status == _NOT_NOW:
            raise
        _LOG.warning("could not write to the API server: %s", error)
