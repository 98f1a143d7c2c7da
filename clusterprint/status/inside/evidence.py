"""Texts of controllers about one job and its pods, each with its object.

Each text begins with the reason that the API gives, as in `QuotaReserved Pending: couldn't assign flavors`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clusterprint.status.inside.fit import misfit
from clusterprint.status.inside.objects import (
    Known,
    Object,
    condition,
    holds,
    items,
    name_of,
    namespace_of,
    part,
    uid_of,
)

QUEUE = "kueue.x-k8s.io/queue-name"
_AUTOSCALER = ("NotTriggerScaleUp", "FailedScaleUp", "TriggeredScaleUp")
_KUBELET = (
    *("FailedMount", "FailedAttachVolume", "FailedMapVolume", "FailedCreatePodSandBox"),
    *("FailedPrepareDynamicResources", "NetworkNotReady", "Evicted", "UnexpectedAdmissionError"),
)
_BINDING = ("ProvisioningFailed", "FailedBinding", "WaitForFirstConsumer", "ExternalProvisioning")
# The slice provisioner's: JobSets have a condition, other owners only events.
_SLICES = "SliceProvisioned"
_POOL_CREATED = ("NodePoolCreationSucceeded", "NodePoolDeletionStarted", "NodePoolKept")
_NO_POOL = tuple(
    f"NodePool{each}"
    for each in (
        *("CreationStarted", "Refused", "Unschedulable", "StockOut", "QuotaExceeded", "Busy"),
        *("ReservationUnavailable", "Forbidden", "Invalid", "Failed", "Unavailable"),
    )
)
# JobSet 0.12.0, pkg/webhooks/pod_webhook.go: where each job has a pool, its first pod is scheduled before
# the others are created, so what holds that one back is the cause.
_FOLLOWERS = re.compile("not creating follower pod|follower pod node selector|expected 1 leader pod")
_CREATES = ("FailedCreate", "SuccessfulCreate", "FailedToCreatePod", "FailedToCreateWorkerPod")


class Evidence(NamedTuple):
    """A text about an object; `at` is where it comes from, as rows of `causes.json` name it."""

    at: str
    kind: str
    namespace: str
    name: str
    message: str

    @property
    def object(self) -> str:
        """The object as kubectl names it: `Pod ml/train-0`."""
        return f"{self.kind} {self.namespace + '/' if self.namespace else ''}{self.name}"


def _of(at: str, found: Object, message: str) -> Evidence:
    return Evidence(at, str(found.get("kind", "")), namespace_of(found), name_of(found), message)


def _told(at: str, found: Object, kind: str) -> Evidence:
    """A condition as evidence."""
    said = condition(found, kind)
    return _of(at, found, f"{kind} {said.get('reason', '')}: {said.get('message', '')}")


class Group(NamedTuple):
    """A job as a whole: the outermost object, all objects below it, their pods and Kueue workloads."""

    root: Object
    members: tuple[Object, ...]
    pods: tuple[Object, ...]
    workloads: tuple[Object, ...]


def collect(group: Group, known: Known) -> Iterator[Evidence]:
    """All evidence about a group that waits."""
    for workload in group.workloads:
        yield from _workload(workload, known)
    yield from _suspended(group)
    for each in (*group.members, group.root):
        yield from _created(each, known, has_pods=bool(group.pods))
        yield from _provisioned(each, known)
    for pod in group.pods:
        yield from _pod(pod, known)


def _workload(workload: Object, known: Known) -> Iterator[Evidence]:
    if holds(workload, "Finished") or (holds(workload, "Admitted") and not holds(workload, "Evicted")):
        return
    yield from _queues(workload, known)
    if part(workload, "spec", "active") is False:
        yield _of("workload", workload, f"inactive: {condition(workload, 'Evicted').get('message', '')}")
    if holds(workload, "Evicted"):
        yield _told("workload", workload, "Evicted")
    if not holds(workload, "QuotaReserved"):
        yield _told("workload", workload, "QuotaReserved")
    for check in items(workload, "status", "admissionChecks"):
        if check.get("state") != "Ready":
            text = f"admission check {check.get('name')} is {check.get('state')}: {check.get('message', '')}"
            yield _of("check", workload, text)
    yield from _requested(workload, known)


def _queues(workload: Object, known: Known) -> Iterator[Evidence]:
    """The problems of the queues of a workload."""
    queue = str(part(workload, "spec", "queueName") or "")
    local = known.get("LocalQueue", namespace_of(workload), queue)
    cluster = known.get("ClusterQueue", "", str(part(local, "spec", "clusterQueue") or "")) if local else None
    if local is None and known.of("ClusterQueue") and not known.unknown:
        yield _of("queue", workload, f"LocalQueue {queue} doesn't exist")
    for each in (local, cluster):
        if each and part(each, "spec", "stopPolicy") not in ({}, "None"):
            yield _of("queue", each, f"{each['kind']} {name_of(each)} is stopped (stopPolicy)")
        elif each and condition(each, "Active").get("status") == "False":
            yield _told("queue", each, "Active")


def _requested(workload: Object, known: Known) -> Iterator[Evidence]:
    """The newest request for nodes of a workload; those before it were given up."""
    mine = [each for each in known.of("ProvisioningRequest") if uid_of(workload) in _owners(each)]
    for request in sorted(mine, key=lambda each: str(part(each, "metadata", "creationTimestamp")))[-1:]:
        for kind in ("Failed", "CapacityRevoked", "BookingExpired", "Accepted", "Provisioned"):
            if holds(request, kind) or (kind == "Provisioned" and condition(request, kind)):
                yield _told("request", request, kind)
        if not items(request, "status", "conditions"):
            yield _of("request", request, "no answer: the request has no conditions")


def _owners(found: Object) -> set[str]:
    return {str(each.get("uid", "")) for each in items(found, "metadata", "ownerReferences")}


def _suspended(group: Group) -> Iterator[Evidence]:
    root, spec = group.root, part(group.root, "spec")
    if True not in (spec.get("suspend"), part(spec, "runPolicy", "suspend")) or group.workloads:
        return
    queue = part(root, "metadata", "labels").get(QUEUE)
    text = (
        f"in queue {queue}, and Kueue has no Workload for it" if queue else "suspended: spec.suspend is true"
    )
    yield _of("suspended", root, text)


def _created(owner: Object, known: Known, *, has_pods: bool) -> Iterator[Evidence]:
    """The last failure to create pods; nothing if pods were created since, or the first one waits."""
    for event in _events(owner, known, _CREATES)[-1:]:
        message = str(event.get("message", ""))
        if event.get("reason") != "SuccessfulCreate" and not (has_pods and _FOLLOWERS.search(message)):
            yield _of("controller", owner, f"{event.get('reason')}: {message}")
    for kind in ("ReplicaFailure", "Failed"):
        if holds(owner, kind):
            yield _told("controller", owner, kind)


def _provisioned(owner: Object, known: Known) -> Iterator[Evidence]:
    """Why the slice provisioner has no pool for an object."""
    if condition(owner, _SLICES):
        if not holds(owner, _SLICES):
            yield _told("provisioner", owner, _SLICES)
        return
    for event in _events(owner, known, (*_NO_POOL, *_POOL_CREATED))[-1:]:
        if event.get("reason") not in _POOL_CREATED:
            yield _of("provisioner", owner, f"{event.get('reason')}: {event.get('message', '')}")


def _events(found: Object, known: Known, reasons: Sequence[str]) -> list[Object]:
    """Events about an object with one of these reasons, the newest last."""
    named = (str(found.get("kind", "")), namespace_of(found), name_of(found))
    chosen = [each for each in known.events.get(named, ()) if each.get("reason") in reasons]
    mine = [each for each in chosen if _is_of(each, uid_of(found))]
    return sorted(mine, key=_when)


def _is_of(event: Object, uid: str) -> bool:
    """Whether an event is about this object, and not about an earlier one of its name."""
    other = part(event, "involvedObject").get("uid")
    return not other or not uid or other == uid


def _when(event: Object) -> str:
    last = part(event, "series", "lastObservedTime") or event.get("lastTimestamp") or event.get("eventTime")
    return str(last or part(event, "metadata", "creationTimestamp") or "")


def _pod(pod: Object, known: Known) -> Iterator[Evidence]:
    yield from _claims(pod, known)
    scheduled = condition(pod, "PodScheduled")
    if not part(pod, "spec", "nodeName"):
        for gate in items(pod, "spec", "schedulingGates"):
            yield _of("gate", pod, f"scheduling gate {gate.get('name')}")
        last = _events(pod, known, ("FailedScheduling",))[-1:]
        message = scheduled.get("message") or next((each.get("message") for each in last), "")
        if scheduled.get("reason") != "SchedulingGated":
            yield from _scaled(pod, known)
            yield from (_of("fit", pod, text) for text in misfit(pod, known.of("Node")))
            yield _of("scheduler", pod, f"{scheduled.get('reason', 'Pending')}: {message}")
        return
    if is_lost(pod, known):
        node = known.get("Node", "", str(part(pod, "spec", "nodeName")))
        text = f"Ready {condition(node or {}, 'Ready').get('status', 'missing')}: "
        told = condition(node or {}, "Ready").get("message", "the node does not exist")
        yield Evidence("node", "Node", "", str(part(pod, "spec", "nodeName")), text + str(told))
    yield from _containers(pod, known)


def is_lost(pod: Object, known: Known) -> bool:
    """Whether the node of a pod is not ready, or does not exist."""
    name = str(part(pod, "spec", "nodeName") or "")
    node = known.get("Node", "", name)
    return bool(name and known.of("Node")) and (node is None or not holds(node, "Ready"))


def _scaled(pod: Object, known: Known) -> Iterator[Evidence]:
    """Events of the autoscaler since it last added nodes for a pod."""
    events = _events(pod, known, _AUTOSCALER)
    added = [at for at, each in enumerate(events) if each.get("reason") == "TriggeredScaleUp"]
    for event in events[added[-1] if added else 0 :]:
        yield _of("autoscaler", pod, f"{event.get('reason')}: {event.get('message', '')}")


def _claims(pod: Object, known: Known) -> Iterator[Evidence]:
    for volume in items(pod, "spec", "volumes"):
        name = part(volume, "persistentVolumeClaim", "claimName")
        if part(volume, "ephemeral"):
            name = f"{name_of(pod)}-{volume.get('name')}"
        claim = known.get("PersistentVolumeClaim", namespace_of(pod), str(name)) if name else None
        if claim is None or part(claim, "status", "phase") == "Bound":
            continue
        for event in _events(claim, known, _BINDING)[-1:]:
            yield _of("claim", claim, f"{event.get('reason')}: {event.get('message', '')}")
        if part(claim, "status", "phase") == "Lost":
            yield _of("claim", claim, "Lost: its volume no longer exists")
    for status in items(pod, "status", "resourceClaimStatuses"):
        device = known.get("ResourceClaim", namespace_of(pod), str(status.get("resourceClaimName")))
        if device and not part(device, "status", "allocation"):
            yield _of("device", device, "not allocated: no node has the devices that the claim requests")


def _containers(pod: Object, known: Known) -> Iterator[Evidence]:
    for event in _events(pod, known, _KUBELET)[-1:]:
        yield _of("kubelet", pod, f"{event.get('reason')}: {event.get('message', '')}")
    for status in (
        *items(pod, "status", "initContainerStatuses"),
        *items(pod, "status", "containerStatuses"),
    ):
        waiting, ended = part(status, "state", "waiting"), part(status, "lastState", "terminated")
        if waiting:
            last = (
                f"; the last run ended with {ended.get('reason')}, exit code {ended.get('exitCode')}"
                if ended
                else ""
            )
            said = f"{waiting.get('reason', '')}: {waiting.get('message', '')}{last}"
            yield _of("kubelet", pod, f"{said} (container {status.get('name')})")
