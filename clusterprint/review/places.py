"""Lines of the blueprint that ask for a resource: by idea and by name."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from clusterprint.derived import components
from clusterprint.document import Document
from clusterprint.document import Place as Keys
from clusterprint.review import ideas
from clusterprint.review.causes import place_of
from clusterprint.review.delta import Resource, get
from clusterprint.review.model import Idea, Place

# Where each idea is written, the first of these keys that exists.
_KEYS: dict[Idea, tuple[str, ...]] = {
    "cluster": ("cluster", "resource_group"),
    "node pool": ("node_pools", "nodes", "head_node"),
    "network": ("network",),
    "storage": ("storage",),
    "files": ("files",),
    "IAM": ("service_account",),
    "secrets": ("secrets",),
    "registry": ("registry", "image_build", "image_builds"),
    "workloads": ("workloads", "ray"),
    "health checks": ("health_checks",),
    "services": ("enable_services", "more_services"),
}

_GROUPS = ("node_pools", "node_groups", "compute_classes")

# Under which keys named things are that resources of an idea belong to, the likeliest first. A name counts
# only there: any name may also be a part of another one, or of the cluster's.
_NAMED: dict[Idea, tuple[str, ...]] = {
    "node pool": _GROUPS,
    "network": ("network", "storage", *_GROUPS),
    "storage": ("storage", "workload_identity"),
    "files": ("files", *_GROUPS),
    "IAM": ("storage", "secrets", "workload_identity", "registry", *_GROUPS),
    "secrets": ("secrets",),
    "registry": ("registry", "image_builds"),
    "workloads": ("workloads", "ray", "storage", "workload_identity", *_GROUPS),
    "health checks": ("node_groups",),
    "other": ("storage", *_GROUPS),
}

# Nothing in Terraform is named after what is inside these.
_NAMES_INSIDE = (("workloads", "kueue"),)

# Resources that a key of their own asks for, by a word in their address.
_BY_ADDRESS = (
    ("head", ("head_node",)),
    ("ssh", ("network", "ssh_source_ranges")),
    ("image_build", ("image_build",)),
    ("dashboard", ("ray", "dashboard")),
    ("services_range", ("storage", "private_services")),
    ("services_range", ("storage", "volumes")),
    ("services_peering", ("storage", "private_services")),
    ("services_peering", ("storage", "volumes")),
)

# Long texts that come from files, by a word in the argument that they end up in.
_TEXTS: tuple[tuple[str, Keys], ...] = (
    ("startup-script", ("startup_script",)),
    ("custom_data", ("startup_script",)),
    ("user_data", ("startup_script",)),
)


def place(resource: Resource, document: Document, hint: str = "") -> Place:
    """The line that asks for a resource; the name of the cluster where no line does.

    With a hint, the line in or beside that whose key is most like it.
    """
    found = next((keys for keys in _candidates(resource, document) if document.has(keys)), ("name",))
    if hint:
        below = [keys for keys in document.written if keys[: len(found)] == found]
        others = [keys for keys in document.written if len(keys) > 1 and isinstance(keys[-1], str)]
        best = max((found, *below, *others), key=lambda keys: likeness(keys[-1:], hint))
        found = best if likeness(best[-1:], hint) else found
    return place_of(document, found)


def likeness(words: Iterable[str | int], hint: str) -> int:
    """How many words a path of keys and a hint have in common."""
    return len(_words(" ".join(map(str, words))) & _words(hint))


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall("[a-z0-9]+", text.lower()))


def _candidates(resource: Resource, document: Document) -> Iterator[Keys]:
    idea, cluster = ideas.idea(resource), str(document.data.get("name"))
    address = resource.address.partition(".")[2]
    named = {ideas.name(resource), address}
    named |= {each for key in ("bucket", "cluster") if isinstance(each := get(resource.values, key), str)}
    named.discard(cluster)
    items = list(_named_items(document.data, _NAMED.get(idea, ())))
    yield from (keys for keys, name in items if name in named or _is_part(name, address, cluster))
    yield from (keys for keys, name in items if name == cluster and _is_part(name, address, ""))
    base = resource.base.replace(f"-{cluster}-", "-")
    for part, keys in (*_BY_ADDRESS, *_components()):
        if part in base:
            yield keys
    yield from ((key,) for key in _KEYS.get(idea, ()))


def _is_part(name: str, address: str, cluster: str) -> bool:
    """Whether an address has a name in it, after what it is of: not the beginning of another name or word.

    Nor a part of the cluster's name, with which the names of buckets begin.
    """
    prefix = re.compile(rf"(?<![A-Za-z0-9]){re.escape(cluster)}-" if cluster else "$^")
    prefixes = [each.span() for each in prefix.finditer(address)]
    found = re.finditer(rf"(?<=[-_]){re.escape(name)}(?![A-Za-z0-9])", address)
    return any(
        not any(start <= each.start() and each.end() < end for start, end in prefixes) for each in found
    )


def _components() -> Iterator[tuple[str, Keys]]:
    """Components stand in addresses as in the blueprint, nested ones by their names: `webhook` is several."""
    for name, component in components.on_offer():
        keys = component.workload.split(".")
        part = keys[0] if len(keys) == 1 else name
        yield part, ("workloads", *keys)
        yield part, ("workloads", keys[0])


def _named_items(data: dict[str, Any], roots: tuple[str, ...]) -> Iterator[tuple[Keys, str]]:
    """Everything below some keys that is in a list and has a name, the longest names of each key first."""
    for root in roots:
        yield from sorted(_named(data.get(root), (root,)), key=lambda each: -len(each[1]))


def _named(value: Any, keys: Keys) -> Iterator[tuple[Keys, str]]:
    if keys in _NAMES_INSIDE:
        return
    if isinstance(value, dict):
        if isinstance(keys[-1], int) and isinstance(value.get("name"), str) and value["name"]:
            yield keys, value["name"]
        for key, each in value.items():
            yield from _named(each, (*keys, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _named(each, (*keys, index))


def place_of_text(path: str, document: Document) -> Place | None:
    """The line that asks for a long text, such as a start-up script, by the argument that it ends up in."""
    for words, keys in _TEXTS:
        if words in path and document.has(keys):
            return place_of(document, keys)
    return None
