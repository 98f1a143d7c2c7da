"""Where a blueprint asks for a resource: by the idea that it belongs to, and by name."""

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

# Where each idea is written, the first of these keys that there is.
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
    data = document.data
    address = resource.address.partition(".")[2]
    named = {ideas.name(resource), address}
    named |= {each for key in ("bucket", "cluster") if isinstance(each := get(resource.values, key), str)}
    for keys, item in _named_items(data):
        if item["name"] in named or _is_part(item["name"], address):
            yield keys
    for part, keys in (*_BY_ADDRESS, *_components()):
        if part in resource.base:
            yield keys
    yield from ((key,) for key in _KEYS.get(ideas.idea(resource), ()))


def _is_part(name: str, address: str) -> bool:
    """Whether an address has a name in it, after what it is of: not the beginning of another name or word."""
    return re.search(rf"[-_]{re.escape(name)}(?![A-Za-z0-9])", address) is not None


def _components() -> Iterator[tuple[str, Keys]]:
    """Components stand in addresses as in the blueprint, nested ones by their names: `webhook` is several."""
    for name, component in components.on_offer():
        keys = component.workload.split(".")
        part = keys[0] if len(keys) == 1 else name
        yield part, ("workloads", *keys)
        yield part, ("workloads", keys[0])


def _named_items(value: Any, keys: Keys = ()) -> Iterator[tuple[Keys, dict[str, Any]]]:
    """Everything in a list that has a name, the longest names first."""
    found = list(_named(value, keys))
    yield from sorted(found, key=lambda each: -len(each[1]["name"]))


def _named(value: Any, keys: Keys) -> Iterator[tuple[Keys, dict[str, Any]]]:
    if isinstance(value, dict):
        if keys and isinstance(keys[-1], int) and isinstance(value.get("name"), str) and value["name"]:
            yield keys, value
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
