"""The first cause of everything in a cluster that waits."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from clusterprint.access.inside import Inside
from clusterprint.status.inside.evidence import QUEUE, Evidence, Group, collect, is_lost
from clusterprint.status.inside.objects import (
    Known,
    Object,
    holds,
    items,
    name_of,
    namespace_of,
    part,
    read_objects,
    uid_of,
)
from clusterprint.status.inside.places import Field, Places, Subject
from clusterprint.status.programs import Programs

# Of its containers, only these hold a pod back that already runs.
_STUCK = re.compile(r"BackOff|Err|Error|Invalid")
_PENDING = ("Pending", "Unknown")
_ENDED = ("Complete", "Completed", "Succeeded", "Finished")
# What may wait without any pod.
_JOBS = ("Job", "JobSet", "MPIJob", "LeaderWorkerSet", "TrainJob", "RayCluster", "RayJob", "RayService")
_OTHERS = ("Deployment", "StatefulSet", "ReplicaSet")
# Of the runs of these, those before the last are history.
_SCHEDULES = ("CronJob", "RayCronJob")
_SYSTEM = "kube-system"


class Row(NamedTuple):
    """A cause: what matches its texts, what it means, which fields it is about, and the way out."""

    at: str
    name: str
    pattern: re.Pattern[str]
    text: str
    keys: tuple[str, ...]
    do: str


def _rows() -> tuple[Row, ...]:
    rows = json.loads(Path(__file__).with_name("causes.json").read_text("utf-8"))
    return tuple(
        Row(
            each["at"],
            each["name"],
            re.compile(each["pattern"], re.DOTALL),
            each["text"],
            tuple(each["keys"]),
            each["do"],
        )
        for each in rows
    )


#: All causes, the first first: `causes.json`, with the source of each pattern.
ROWS = _rows()
_UNKNOWN = Row(
    "", "unknown", re.compile(""), "the reason has no entry here", ("job:",), "the text says what is missing"
)


class Cause(NamedTuple):
    """Why one job waits: the first cause, its evidence, the field to change, and the way out."""

    kind: str
    namespace: str
    name: str
    cause: str
    text: str
    evidence: Evidence
    field: Field | None
    do: str


class Waiting(NamedTuple):
    """The waits in a cluster.

    `asked` says why one job has no cause, `nowhere` that there is no such job, `unknown` what could not be
    read.
    """

    causes: tuple[Cause, ...]
    unknown: tuple[str, ...] = ()
    asked: str = ""
    nowhere: bool = False


def waiting(of: Inside, places: Places, programs: Programs, job: str = "") -> Waiting:
    """The waits in a cluster, those of the blueprint first; `job` is one by its name or NAMESPACE/NAME."""
    return explain(read_objects(of.context, programs), places, job)


def explain(known: Known, places: Places, job: str = "") -> Waiting:
    """The same from objects that were read."""
    groups = _groups(known)
    if job:
        groups = [each for each in groups if _is_named(each, job, places)]
    # Of those that have failed, only the blueprint's own and the named one are of interest.
    told = [
        each for each in groups if job or name_of(each.root) in places.jobs or not holds(each.root, "Failed")
    ]
    causes = [cause for each in told if _waits(each, known) for cause in _first(each, known, places)]
    causes.sort(
        key=lambda each: (each.name not in places.jobs, each.namespace == _SYSTEM, each.namespace, each.name)
    )
    asked, nowhere = "", False
    if job and not groups and not known.unknown:
        if job not in places.jobs:
            nowhere = True
            asked = f"neither the cluster nor the blueprint has a job {job!r}"
        else:
            nothing = Evidence("absent", "job", "", job, "absent: no object of this name in any namespace")
            causes = [_cause(nothing, Group({"kind": "job", "metadata": {"name": job}}, (), (), ()), places)]
    elif job and not causes:
        asked = f"{job} does not wait: " + ("it has ended" if all(map(_ended, groups)) else "its pods run")
    return Waiting(tuple(causes), known.unknown, asked if not known.unknown or causes else "", nowhere)


def _groups(known: Known) -> list[Group]:
    """All objects by the outermost of their owners."""
    all_of = {uid_of(each): each for found in known.kinds.values() for each in found}
    roots: dict[str, Object] = {}
    below: dict[str, list[Object]] = {}
    for kind in ("Pod", "Workload", *_JOBS, *_OTHERS):
        for each in known.of(kind):
            root = _root(each, all_of)
            if root is not None:
                roots.setdefault(uid_of(root), root)
                below.setdefault(uid_of(root), []).append(each)
    return [_group(root, below[uid]) for uid, root in roots.items()]


def _group(root: Object, below: Sequence[Object]) -> Group:
    def of(kind: str) -> tuple[Object, ...]:
        return tuple(each for each in below if each.get("kind") == kind)

    members = tuple(
        each for each in below if each is not root and each.get("kind") not in {"Pod", "Workload"}
    )
    if root.get("kind") in _SCHEDULES:
        last = max(members, key=lambda each: str(part(each, "metadata", "creationTimestamp")), default=None)
        members = tuple(each for each in members if each is last or not _is_over(each))
    return Group(root, members, of("Pod"), of("Workload"))


def _root(found: Object, all_of: dict[str, Object]) -> Object | None:
    """The outermost owner; None for pods of a node. An owner that was not read has a name and no content."""
    seen = set[str]()
    while (owner := _owner(found)) and uid_of(found) not in seen:
        seen.add(uid_of(found))
        if owner.get("kind") == "Node":
            return None
        uid = str(owner.get("uid", ""))
        metadata = {"name": owner.get("name"), "namespace": namespace_of(found), "uid": uid}
        found = all_of.get(uid) or {"kind": owner.get("kind"), "metadata": metadata}
    return found


def _owner(found: Object) -> Object | None:
    owners = items(found, "metadata", "ownerReferences")
    return next((each for each in owners if each.get("controller")), owners[0] if owners else None)


def _is_named(group: Group, job: str, places: Places) -> bool:
    name = name_of(group.root)
    names = {name, f"{namespace_of(group.root)}/{name}"}
    place = places.jobs.get(job)
    own = place is not None and places.jobs.get(name) == place
    return own or job in names | {name_of(each) for each in (*group.members, *group.pods)}


def _waits(group: Group, known: Known) -> bool:
    if _ended(group) or part(group.root, "metadata", "deletionTimestamp"):
        return False
    if any(_is_stuck(each, known) for each in group.pods) or holds(group.root, "Failed"):
        return True
    if any(not holds(each, "Admitted") and not holds(each, "Finished") for each in group.workloads):
        return True
    spec = part(group.root, "spec")
    idle = not group.pods and spec.get("replicas") != 0
    return True in (spec.get("suspend"), part(spec, "runPolicy", "suspend")) or idle


def _ended(group: Group) -> bool:
    if group.root.get("kind") in _SCHEDULES:
        return all(map(_has_ended, group.members))
    return _has_ended(group.root)


def _has_ended(found: Object) -> bool:
    status = part(found, "status")
    ended = status.get("jobStatus") in {"SUCCEEDED", "STOPPED"} or (
        found.get("kind") == "Pod" and (status.get("phase") in {"Succeeded", "Failed"})
    )
    return ended or any(holds(found, each) for each in _ENDED)


def _is_over(found: Object) -> bool:
    return _has_ended(found) or holds(found, "Failed") or part(found, "status").get("jobStatus") == "FAILED"


def _is_stuck(pod: Object, known: Known) -> bool:
    if part(pod, "metadata", "deletionTimestamp"):
        return False
    states = [*items(pod, "status", "initContainerStatuses"), *items(pod, "status", "containerStatuses")]
    stuck = any(_STUCK.search(str(part(each, "state", "waiting", "reason") or "")) for each in states)
    return stuck or part(pod, "status", "phase") in _PENDING or is_lost(pod, known)


def _first(group: Group, known: Known, places: Places) -> Iterator[Cause]:
    pods = tuple(each for each in group.pods if _is_stuck(each, known))
    found = list(collect(group._replace(pods=pods), known))
    if found:
        yield _cause(min(found, key=_rank), group, places)


def _rank(evidence: Evidence) -> int:
    """The position of the row that evidence belongs to."""
    return next((at for at, row in enumerate(ROWS) if _fits(row, evidence)), len(ROWS))


def _fits(row: Row, evidence: Evidence) -> bool:
    return row.at == evidence.at and row.pattern.search(evidence.message) is not None


def _cause(evidence: Evidence, group: Group, places: Places) -> Cause:
    at = _rank(evidence)
    row = ROWS[at] if at < len(ROWS) else _UNKNOWN
    root = group.root
    return Cause(
        kind=str(root.get("kind", "")),
        namespace=namespace_of(root),
        name=name_of(root),
        cause=row.name,
        text=row.text,
        evidence=evidence,
        field=places.field(row.keys, _subject(evidence, group)),
        do=row.do.replace("{object}", evidence.name).replace("{namespace}", evidence.namespace),
    )


def _subject(evidence: Evidence, group: Group) -> Subject:
    pods = group.pods
    queues = [part(each, "spec", "queueName") for each in group.workloads]
    volumes = [
        str(part(each, "persistentVolumeClaim", "claimName") or "")
        for pod in pods
        for each in items(pod, "spec", "volumes")
    ]
    templates = [
        part(each, "template", "spec") for work in group.workloads for each in items(work, "spec", "podSets")
    ]
    selectors: dict[str, Any] = {}
    for spec in (*templates, *(part(pod, "spec") for pod in pods)):
        selectors.update(part(spec, "nodeSelector"))
    return Subject(
        job=name_of(group.root),
        namespace=namespace_of(group.root),
        queue=str(queues[0] if queues else part(group.root, "metadata", "labels").get(QUEUE, "")),
        selectors=selectors,
        volumes=[evidence.name]
        if evidence.kind == "PersistentVolumeClaim"
        else [each for each in volumes if each],
        text=evidence.message,
    )


def as_data(found: Waiting) -> dict[str, Any]:
    """The same for tools."""
    return {
        "waiting": [
            {
                **{key: getattr(each, key) for key in ("kind", "namespace", "name", "cause", "text", "do")},
                "evidence": {
                    key: getattr(each.evidence, key) for key in ("kind", "namespace", "name", "message")
                },
                "field": each.field._asdict() if each.field else None,
            }
            for each in found.causes
        ],
        "asked": found.asked,
        "unknown": list(found.unknown),
    }
