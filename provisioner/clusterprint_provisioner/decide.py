"""The core: maps the observed state to a list of actions.

It makes no API calls and changes nothing; an import contract keeps the two APIs out of it.
"""

from clusterprint_provisioner.actions import Action, Create, Decision, Delete, Remember, Tell
from clusterprint_provisioner.conditions import Notes
from clusterprint_provisioner.demand import Demand, Refusal, demands, misfit_of
from clusterprint_provisioner.failures import UNSCHEDULABLE, Failure, failure_of
from clusterprint_provisioner.identity import ATTEMPT, HASH, Identity
from clusterprint_provisioner.marks import Marks, Now
from clusterprint_provisioner.objects import NODE_POOL
from clusterprint_provisioner.offers import Offer
from clusterprint_provisioner.pools import Pool, asked_by, digest
from clusterprint_provisioner.records import Record, after, next_offer
from clusterprint_provisioner.settings import Settings
from clusterprint_provisioner.world import World

_BROKEN = ("ERROR", "RUNNING_WITH_ERROR")
#: How long a first pod may stay unscheduled with all nodes there: drivers and device plug-ins take minutes.
UNSCHEDULED_SECONDS = 900.0


def decide(world: World, settings: Settings, now: Now, marks: Marks) -> Decision:
    """The next actions. `marks` holds since when each condition is true, and nothing else."""
    return _Round(world, settings, now, marks).run()


class _Round:
    """One look at everything."""

    def __init__(self, world: World, settings: Settings, now: Now, marks: Marks) -> None:
        self._world, self._settings, self._now, self._marks = world, settings, now, marks
        found, refused = demands(world.cluster, settings)
        self._demands = {each.identity.pool: each for each in found}
        self._refused = {each.identity.pool: each for each in refused}
        self._records = dict(world.records)
        ours = set(world.owned) | set(self._demands)
        self._slots = settings.concurrency - len(world.in_flight & ours)
        self._actions: list[Action] = []
        self._notes = Notes()
        self._busy = bool(world.in_flight & ours)
        # What is made in this round, or was asked for and is not shown yet.
        self._coming = [
            each
            for name, each in self._demands.items()
            if name in world.in_flight and name not in world.owned
        ]

    def run(self) -> Decision:
        for name, identity in self._world.owned.items():
            self._look_at(self._world.pools[name], identity)
        for name, demand in self._demands.items():
            if name not in self._world.owned:
                self._look_for(name, demand)
        for refusal in self._refused.values():
            self._refuse(refusal)
        self._forget()
        self._actions += self._notes.conditions(self._world.cluster.jobsets)
        self._marks.end_round()
        return Decision(tuple(self._actions), self._busy)

    def _refuse(self, refusal: Refusal) -> None:
        """Tell why there can be no pool. Pods that name a pool of somebody else wait for that one."""
        pools = (each for name, each in self._world.pools.items() if name not in self._world.owned)
        if any({NODE_POOL: pool.name, **pool.config.labels}.items() & set(refusal.pinned) for pool in pools):
            self._notes.remove(refusal.identity)
            return
        self._notes.add(refusal.identity, "Refused", refusal.message)
        self._tell(refusal.identity, "NodePoolRefused", refusal.message, refusal.message, warning=True)

    # A pool of ours that is there.

    def _look_at(self, pool: Pool, identity: Identity) -> None:
        lives, demand = self._world.is_needed(identity), self._demands.get(pool.name)
        if self._world.nodes.get(pool.name):
            self._age_of_nodes(pool.name)  # from the first time that they are seen
        if pool.name in self._world.in_flight:
            if lives:
                self._note_coming(identity)
            return
        if not lives:
            self._end(pool, identity)
        elif pool.status in _BROKEN and not self._world.runs_on(pool.name):
            self._replace(pool, identity, demand)
        elif pool.name in self._refused and not self._world.runs_on(pool.name):
            self._delete(pool.name, identity, "the pods of its job cannot run on its nodes")
        elif self._is_outdated(pool, demand):
            self._delete(pool.name, identity, "the requirements of the job have changed")
        elif demand is not None:
            self._note_waiting(pool, identity, demand)
        else:
            self._notes.add(identity, "Ready", f"{pool.name} is ready")
            self._tell_created(pool, identity)

    def _note_waiting(self, pool: Pool, identity: Identity, demand: Demand) -> None:
        """Its first pod is not scheduled. Nobody pays for long for nodes on which it cannot be."""
        nodes = len(self._world.nodes.get(pool.name, ()))
        others = self._world.strangers(pool.name, identity)
        self._busy = True
        if nodes < demand.shape.nodes:
            self._note_coming(identity)
        elif others:
            text = f"{pool.name} is used by {', '.join(others[:3])}: select its nodes by a label of your own"
            self._notes.add(identity, "Occupied", text)
        else:
            self._tell_created(pool, identity)
            text = f"{pool.name} has its nodes, but the first pod is not scheduled: {demand.scheduler}"
            waits = self._marks.age(f"unscheduled {pool.name}", self._now) < UNSCHEDULED_SECONDS
            self._notes.add(identity, "Provisioning" if waits else UNSCHEDULABLE, text)
            if not waits and not self._world.runs_on(pool.name):
                if not self._is_counted(pool):
                    self._fail(identity, demand, Failure(UNSCHEDULABLE, text), self._life(pool.name))
                self._delete(pool.name, identity, text)

    def _tell_created(self, pool: Pool, identity: Identity) -> None:
        name = pool.name
        self._tell(identity, "NodePoolCreationSucceeded", f"{name} has its nodes", self._life(name))

    def _note_coming(self, identity: Identity) -> None:
        """Under way; after a failure, which. The same words at each step, as every change is a request."""
        pool, record = self._world.pools.get(identity.pool), self._records.get(identity.pool)
        going = "deleted" if pool is not None and pool.status == "STOPPING" else "provisioned"
        text = f"{f'{record.message}; ' if record else ''}{identity.pool} is being {going}"
        self._notes.add(identity, record.reason if record else "Provisioning", text)

    def _is_outdated(self, pool: Pool, demand: Demand | None) -> bool:
        """Whether the job asks for something else than it did when the pool was made."""
        made_for = pool.config.labels.get(HASH)
        return (
            demand is not None
            and made_for is not None
            and made_for != digest(demand)
            and not self._world.runs_on(pool.name)
        )

    def _end(self, pool: Pool, identity: Identity) -> None:
        """Delete a pool without a job: after a pause, and if no other job uses it."""
        settings, name = self._settings, pool.name
        young = bool(self._world.nodes.get(name)) and self._age_of_nodes(name) < settings.node_min_lifespan
        unwanted = self._marks.age(f"unwanted {name}", self._now)
        self._busy = True
        if unwanted < settings.deletion_delay or young:
            return
        if others := self._world.others(name, identity):
            text = f"{name} is kept: {', '.join(others[:3])} still run{'s' if len(others) == 1 else ''} there"
            self._tell(identity, "NodePoolKept", text, others[0], warning=True)
            return
        self._delete(name, identity, "its job has ended, is suspended or was deleted")

    def _age_of_nodes(self, name: str) -> float:
        return self._marks.age(f"nodes {name}", self._now)

    def _replace(self, pool: Pool, identity: Identity, demand: Demand | None) -> None:
        """It has failed: that is remembered before the pool goes, for it is what tells of it."""
        if not self._is_counted(pool):
            creation = self._world.last_creation.get(pool.name)
            codes = tuple(
                code for each in pool.conditions for code in (each.code, each.canonical_code) if code
            )
            said = pool.status_message or next((each.message for each in pool.conditions if each.message), "")
            said = said or (creation.failed if creation else "")
            self._fail(identity, demand, failure_of(said, codes=codes), creation.name if creation else "")
        self._delete(pool.name, identity, "the pool is in an error state")

    def _is_counted(self, pool: Pool) -> bool:
        """Whether the failure of this pool is remembered already."""
        record, attempt = self._records.get(pool.name), pool.config.labels.get(ATTEMPT, "0")
        return (record.failures if record else 0) > (int(attempt) if attempt.isdigit() else 0)

    # A pool that is wanted and not there.

    def _look_for(self, name: str, demand: Demand) -> None:
        identity, record = demand.identity, self._records.get(name)
        if name in self._world.in_flight:
            self._note_coming(identity)
            return
        if name in self._world.pools:
            self._notes.add(
                identity, "Refused", f"pool {name} exists, but was not created by this controller"
            )
            return
        creation = self._world.last_creation.get(name)
        if creation and creation.failed and (record is None or record.handled != creation.name):
            self._fail(identity, demand, failure_of(creation.failed), creation.name)
            record = self._records[name]
        why = self._why_not_now(demand, record)
        if why is not None:
            self._notes.add(identity, *why)
            self._busy = True
            return
        offer = next_offer(record, demand.offers)
        attempt = record.failures if record else 0
        self._slots -= 1
        self._busy = True
        text = f"{name}: {demand.shape.nodes} x {demand.shape.machine}, {offer.shown}"
        told = _told(identity, "NodePoolCreationStarted", text, self._life(name))
        self._actions.append(Create(demand, offer, attempt, told))
        self._note_coming(identity)
        self._coming.append(demand)

    def _why_not_now(self, demand: Demand, record: Record | None) -> tuple[str, str] | None:
        same = record is not None and record.asked in ("", asked_by(demand))
        if record is not None and same and self._pauses(demand.identity.pool, record):
            return record.reason, f"{record.message}; retrying"
        if grows := self._growing(demand):
            return "LeftToAutoscaler", f"{grows} fits, has no nodes and scales up automatically"
        if limit := self._limit(demand):
            return "Limited", limit
        if self._slots <= 0:
            return "Waiting", f"{self._settings.concurrency} pools are being created or deleted"
        return None

    def _pauses(self, name: str, record: Record) -> bool:
        """Whether it is too early. The time of day may have been set since; the pause is no longer for it."""
        age = self._marks.age(f"pause {name} {record.failures}", self._now)
        return self._now.wall < record.until and age < record.pause

    def _growing(self, demand: Demand) -> str:
        """A pool of somebody else that fits, is empty, and grows when a pod waits."""
        return next(
            (
                name
                for name, pool in sorted(self._world.pools.items())
                if name not in self._world.owned
                and pool.autoscaling.enabled
                and pool.status == "RUNNING"
                and pool.config.machine_type == demand.shape.machine
                and pool.placement_policy.tpu_topology == demand.shape.topology
                and demand.labels.items() <= pool.config.labels.items()
                and pool.config.spot == (demand.offers[0].model == "spot")
                and not self._world.nodes.get(name)
                and self._can_run_on(pool, demand)
            ),
            "",
        )

    def _can_run_on(self, pool: Pool, demand: Demand) -> bool:
        first, own = demand.offers[0], pool.config.labels
        offers = [Offer(first.model, zone, first.reservation) for zone in pool.locations] or [first]
        return not all(misfit_of(demand, each, self._settings, pool=pool.name, own=own) for each in offers)

    def _limit(self, demand: Demand) -> str:
        settings, namespace = self._settings, demand.identity.namespace
        there = [
            self._world.pools[name] for name, each in self._world.owned.items() if each.namespace == namespace
        ]
        coming = [each for each in self._coming if each.identity.namespace == namespace]
        pools = len(there) + len(coming)
        chips = sum(each.chips for each in there) + sum(each.shape.chips for each in coming)
        if 0 < settings.max_pools_per_namespace <= pools:
            return f"{namespace} has {pools} pools, which is the limit"
        if 0 < settings.max_chips_per_namespace < chips + demand.shape.chips:
            return (
                f"{namespace} has {chips} chips, and {demand.shape.chips} more would exceed the "
                f"limit of {settings.max_chips_per_namespace}"
            )
        return ""

    # What both have in common.

    def _fail(self, identity: Identity, demand: Demand | None, failure: Failure, operation: str) -> None:
        name = identity.pool
        record = after(
            self._records.get(name),
            failure,
            handled=operation,
            offers=len(demand.offers) if demand else 1,
            now=self._now.wall,
            asked=asked_by(demand) if demand and failure.reason == UNSCHEDULABLE else "",
        )
        self._records[name] = record
        self._actions.append(Remember(name, record))
        text = f"{name}: {failure.message}"
        self._tell(identity, f"NodePool{failure.reason}", text, str(record.failures), warning=True)

    def _delete(self, name: str, identity: Identity, why: str) -> None:
        self._busy = True
        if self._world.is_needed(identity):
            self._note_coming(identity)
        if self._slots <= 0:
            return
        self._slots -= 1
        told = _told(identity, "NodePoolDeletionStarted", f"{name}: {why}", self._life(name))
        self._actions.append(Delete(name, identity, why, told))

    def _life(self, name: str) -> str:
        """Which of its lives a pool is in: it is made again after a failure, and when a job is resumed."""
        creation = self._world.last_creation.get(name)
        return creation.name if creation else ""

    def _tell(self, identity: Identity, reason: str, text: str, key: str, *, warning: bool = False) -> None:
        self._actions.append(_told(identity, reason, text, key, warning=warning))

    def _forget(self) -> None:
        """Forget the records of groups that are gone."""
        if self._records:
            there = {each.pool for each in self._world.groups} | set(self._world.owned)
            self._actions += [Remember(name, None) for name in sorted(set(self._records) - there)]


def _told(identity: Identity, reason: str, text: str, key: str, *, warning: bool = False) -> Tell:
    return Tell(identity, reason, text, f"{identity.pool} {reason} {key}", warning)
