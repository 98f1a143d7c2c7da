"""The condition on a JobSet: the status of the pools of all of its jobs."""

from clusterprint_provisioner.actions import CONDITION, Say
from clusterprint_provisioner.identity import Identity
from clusterprint_provisioner.objects import JobSet

# What matters least comes last; a failure of any other name comes first.
_ORDER = ("Limited", "Waiting", "LeftToAutoscaler", "Provisioning", "Ready")
_SHOWN = 5


class Notes:
    """How it stands with each slice."""

    def __init__(self) -> None:
        self._notes: dict[str, dict[str, tuple[str, str]]] = {}

    def add(self, identity: Identity, reason: str, message: str) -> None:
        """Note it for one slice."""
        self._notes.setdefault(identity.uid, {})[identity.job] = (reason, message)

    def remove(self, identity: Identity) -> None:
        """Forget what was noted for one slice."""
        notes = self._notes.get(identity.uid, {})
        notes.pop(identity.job, None)
        if not notes:
            self._notes.pop(identity.uid, None)

    def conditions(self, jobsets: tuple[JobSet, ...]) -> list[Say]:
        """The conditions of JobSets; those that never needed a pool have none."""
        noted = [each for each in jobsets if each.metadata.uid in self._notes]
        rest = (each for each in jobsets if each.metadata.uid not in self._notes and not each.has_ended)
        return [
            *(_said(each, self._notes[each.metadata.uid]) for each in noted),
            *(_served(each) for each in rest if _is_stale(each)),
        ]


def _is_stale(jobset: JobSet) -> bool:
    """Whether its condition tells of a pool that it does not wait for, or does not have, any more."""
    ready = jobset.status.says(CONDITION)
    return bool(jobset.status.says(CONDITION, "False")) or (ready is not None and ready.reason == "Ready")


def _said(jobset: JobSet, notes: dict[str, tuple[str, str]]) -> Say:
    ready = sum(reason == "Ready" for reason, _ in notes.values())
    ranked = sorted(notes.items(), key=lambda each: (_rank(each[1][0]), each[0]))
    reason = ranked[0][1][0]
    shown = [f"{job}: {text}" for job, (why, text) in ranked[:_SHOWN] if why != "Ready"]
    head = f"{ready} of {len(notes)} slices have their pool"
    meta = jobset.metadata
    return Say(
        namespace=meta.namespace,
        jobset=meta.name,
        uid=meta.uid,
        status="True" if ready == len(notes) else "False",
        reason=reason,
        message="; ".join([head, *shown]),
    )


def _served(jobset: JobSet) -> Say:
    """It waits no longer, and has no pool of its own."""
    meta = jobset.metadata
    text = "no pods are waiting for a pool"
    return Say(meta.namespace, meta.name, meta.uid, "True", "NotNeeded", text)


def _rank(reason: str) -> int:
    return _ORDER.index(reason) if reason in _ORDER else -1
