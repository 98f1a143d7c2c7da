"""Shapes of what the clouds answered, read from states: which attributes have values, and of which sort.

A difference between those of a real cloud and of the simulated one is something that the simulated cloud does
not know (`tools/learn.py`). Nothing of a value is kept but truth values, zero, and words in capitals such as
`READY`; of a map with keys of the user's own, such as labels, not even the keys, and nothing of what is
sensitive.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

#: Answers by type of resource and attribute, such as `boot_disk[].mode`: the sorts of values, sorted.
Answers = dict[str, dict[str, tuple[str, ...]]]

# A word of an API, of short parts: an access key is one long part.
_WORD = re.compile(r"[A-Z][A-Z0-9]{0,19}(?:_[A-Z0-9]{1,19}){0,9}")
# Attributes with texts of the user's own, which may be written like such words.
_FREE = re.compile(r"(?:^|_)(?:name|key|value|id|description|secret|password|token|data)s?$")


def shapes(states: Iterable[Mapping[str, Any]]) -> Answers:
    """The answers in states of Terraform, version 4, of all resources that they manage."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for state in states:
        for resource in state.get("resources") or ():
            for instance in resource.get("instances") or () if resource.get("mode") == "managed" else ():
                secret = {path[0].get("value") for path in instance.get("sensitive_attributes") or () if path}
                for name, value in (instance.get("attributes") or {}).items():
                    if name in secret:
                        continue
                    for path, sort in _sorts(name, value):
                        found[str(resource["type"])][path].add(sort)
    return {
        kind: {path: tuple(sorted(each)) for path, each in paths.items()} for kind, paths in found.items()
    }


def _sorts(path: str, value: Any) -> Iterator[tuple[str, str]]:
    match value:
        case None:
            return
        case Mapping():
            for each in value.values():
                yield from _sorts(f"{path}.*", each)
        case list():
            for each in value:
                if not isinstance(each, Mapping) or ".*" in path:
                    yield from _sorts(f"{path}[]", each)
                    continue
                for name, inner in each.items():
                    yield from _sorts(f"{path}[].{name}", inner)
        case _:
            yield path, _sort(path, value)


def _sort(path: str, value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        if not value:
            return "empty"
        is_free = ".*" in path or _FREE.search(path.rpartition(".")[2].removesuffix("[]"))
        return value if _WORD.fullmatch(value) and not is_free else "text"
    return "number" if value else "0"
