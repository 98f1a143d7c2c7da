"""Terraform expressions in synthesized JSON, as far as they can be known without Terraform."""

import json
import re
from collections.abc import Mapping
from typing import Any

from clusterprint.terraform_text import plain

_REFERENCE = re.compile(
    r"\$\{((?:data\.)?[a-z][a-z0-9_]*\.[A-Za-z0-9_-]+(?:\[[^\]]*\])?(?:\.[A-Za-z0-9_]+)*)"
)
_WHOLE = re.compile(r"\$\{([a-z][a-z0-9_]*\.[A-Za-z0-9_-]+)\.([a-z0-9_]+)\}")
_SET = re.compile(r"\$\{toset\((\[.*\])\)\}", re.DOTALL)
_EACH = re.compile(r"\$\{each\.(key|value)((?:\.[A-Za-z0-9_]+|\[\"[^\"]*\"\])*)\}")
_STEP = re.compile(r"[A-Za-z0-9_]+")


def references(text: str) -> tuple[str, ...]:
    """The references in a text: `google_compute_network.primary.id`; escaped expressions are none."""
    return tuple(_REFERENCE.findall(text.replace("$${", "")))


def whole_reference(text: str) -> tuple[str, str]:
    """Address and attribute, if a text is a reference to an attribute and nothing else; else empty texts."""
    match = _WHOLE.fullmatch(text)
    return (match[1], match[2]) if match else ("", "")


def instances(for_each: Any) -> dict[str, Any] | None:
    """The keys and values that a `for_each` goes over; None if only Terraform can tell."""
    if isinstance(for_each, Mapping):
        return {plain(key): value for key, value in for_each.items()}
    match = _SET.fullmatch(for_each) if isinstance(for_each, str) else None
    if match is None:
        return None
    try:
        items = json.loads(plain(match[1]))
    except ValueError:
        return None
    return {str(each): str(each) for each in items}


def substitute(value: Any, key: str, item: Any) -> Any:
    """A value with `each.key` and `each.value` filled in."""
    if isinstance(value, dict):
        return {name: substitute(each, key, item) for name, each in value.items()}
    if isinstance(value, list):
        return [substitute(each, key, item) for each in value]
    if not isinstance(value, str) or "each." not in value:
        return value
    whole = _EACH.fullmatch(value)
    if whole:
        return _filled(whole, key, item)
    return _EACH.sub(lambda match: str(_filled(match, key, item)), value)


def _filled(match: re.Match[str], key: str, item: Any) -> Any:
    found = key if match[1] == "key" else item
    for step in _STEP.findall(match[2]):
        found = found.get(step) if isinstance(found, Mapping) else None
    return match[0] if found is None else found
