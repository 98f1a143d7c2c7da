"""The objects of a cluster that say why something waits, read through kubectl."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeAlias

from clusterprint.status.programs import Programs, Unasked
from clusterprint.words import listed

Object: TypeAlias = Mapping[str, Any]

_NO_SUCH_KIND = "the server doesn't have a resource type"
_OPTIONS = ("--all-namespaces", "--output=json", "--request-timeout=30s")
# More at once would be felt by the API server of a large cluster.
_AT_ONCE = 4
_CORE = ("nodes", "events", "persistentvolumeclaims", "jobs.batch", "replicasets.apps", "deployments.apps")
_READ: tuple[tuple[str, ...], ...] = (
    # Those that are done wait for nothing, and are most of all pods.
    ("pods", "--field-selector=status.phase!=Succeeded"),
    *((each,) for each in _CORE),
    *((f"{each}.apps",) for each in ("statefulsets", "daemonsets")),
    ("jobsets.jobset.x-k8s.io",),
    ("mpijobs.kubeflow.org",),
    ("leaderworkersets.leaderworkerset.x-k8s.io",),
    ("trainjobs.trainer.kubeflow.org",),
    *((f"{each}.ray.io",) for each in ("rayclusters", "rayjobs", "rayservices")),
    *((f"{each}.kueue.x-k8s.io",) for each in ("workloads", "localqueues", "clusterqueues")),
    ("provisioningrequests.autoscaling.x-k8s.io",),
    ("resourceclaims.resource.k8s.io",),
)


class Known(NamedTuple):
    """All objects by kind, and by kind, namespace and name; events by object.

    `unknown` says what could not be read, and why; `unread` names it as kubectl does: `nodes`.
    """

    kinds: Mapping[str, Sequence[Object]]
    named: Mapping[tuple[str, str, str], Object]
    events: Mapping[tuple[str, str, str], Sequence[Object]]
    unknown: tuple[str, ...] = ()
    unread: frozenset[str] = frozenset()

    def of(self, kind: str) -> Sequence[Object]:
        """The objects of a kind, named as in the API: `Pod`."""
        return self.kinds.get(kind, ())

    def get(self, kind: str, namespace: str, name: str) -> Object | None:
        """The object of this name, or None."""
        return self.named.get((kind, namespace, name))


def read_objects(context: str, programs: Programs, kinds: Sequence[tuple[str, ...]] = _READ) -> Known:
    """The objects of each kind in the cluster; none of kinds that it does not know."""

    def read(words: tuple[str, ...]) -> tuple[list[dict[str, Any]], str]:
        try:
            return programs.items("kubectl", context, "get", *words, *_OPTIONS), ""
        except Unasked as error:
            return [], "" if _NO_SUCH_KIND in str(error) else str(error)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        answers = list(pool.map(read, kinds))
    failed: dict[str, list[str]] = {}
    for words, (_, said) in zip(kinds, answers, strict=True):
        if said:
            failed.setdefault(said, []).append(words[0].partition(".")[0])
    every = len(kinds)
    unknown = tuple(
        f"{listed(those, 'and') if len(those) < every else 'everything'}: {said}"
        for said, those in failed.items()
    )
    unread = frozenset(each for those in failed.values() for each in those)
    return known((each for found, _ in answers for each in found), unknown)._replace(unread=unread)


def known(objects: Iterable[Object], unknown: tuple[str, ...] = ()) -> Known:
    """These objects, in the order in which a reader looks for them."""
    kinds: dict[str, list[Object]] = {}
    named: dict[tuple[str, str, str], Object] = {}
    events: dict[tuple[str, str, str], list[Object]] = {}
    for each in objects:
        kind = str(each.get("kind", ""))
        if kind == "Event":
            events.setdefault(about(each), []).append(each)
        else:
            kinds.setdefault(kind, []).append(each)
            named[kind, namespace_of(each), name_of(each)] = each
    return Known(kinds, named, events, unknown)


def about(event: Object) -> tuple[str, str, str]:
    """Kind, namespace and name of the object of an event."""
    of = part(event, "involvedObject")
    return str(of.get("kind", "")), str(of.get("namespace") or ""), str(of.get("name", ""))


def part(found: Object, *keys: str) -> Any:
    """A value inside an object by its keys; an empty map where a key is missing or null."""
    value: Any = found
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
        if value is None:
            return {}
    return value


def items(found: Object, *keys: str) -> list[Object]:
    """The maps of a list inside an object."""
    value = part(found, *keys)
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def name_of(found: Object) -> str:
    """The name of an object."""
    return str(part(found, "metadata", "name") or "")


def namespace_of(found: Object) -> str:
    """The namespace of an object; empty for those without."""
    return str(part(found, "metadata", "namespace") or "")


def uid_of(found: Object) -> str:
    """The id that only this object has."""
    return str(part(found, "metadata", "uid") or "")


def condition(found: Object, kind: str) -> Object:
    """The condition of a type, or an empty map."""
    return next((each for each in items(found, "status", "conditions") if each.get("type") == kind), {})


def holds(found: Object, kind: str) -> bool:
    """Whether the condition of a type is true."""
    return condition(found, kind).get("status") == "True"
