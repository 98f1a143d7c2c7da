"""The actions that the core returns, which the controller carries out in this order."""

from msgspec import Struct

from clusterprint_provisioner.demand import Demand
from clusterprint_provisioner.identity import Identity
from clusterprint_provisioner.offers import Offer
from clusterprint_provisioner.records import Record

CONDITION = "SliceProvisioned"


class Tell(Struct, frozen=True):
    """An event, told once for each `key`."""

    identity: Identity
    reason: str
    message: str
    key: str
    warning: bool = False


class Create(Struct, frozen=True):
    """Make a pool; when it is asked for, that is told."""

    demand: Demand
    offer: Offer
    attempt: int
    told: Tell


class Delete(Struct, frozen=True):
    """Delete a pool; when that is asked for, it is told."""

    pool: str
    identity: Identity
    why: str
    told: Tell


class Remember(Struct, frozen=True):
    """Keep what went wrong with a pool; None forgets it."""

    pool: str
    record: Record | None


class Say(Struct, frozen=True):
    """The condition of a JobSet."""

    namespace: str
    jobset: str
    uid: str
    status: str
    reason: str
    message: str


Action = Create | Delete | Remember | Tell | Say


class Decision(Struct, frozen=True):
    """Everything to do now. `busy` while something is under way, which has to be looked at soon."""

    actions: tuple[Action, ...]
    busy: bool
