"""The form of a plan, as far as it is read: `terraform show -json`, format 1."""

from collections.abc import Iterable
from typing import Any

from clusterprint.validate.validator import errors_of

_TEXT = {"type": ["string", "null"]}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def _list(items: Any) -> dict[str, Any]:
    return {"type": ["array", "null"], "items": items}


_CHANGE = _object(
    actions=_list({"type": "string"}),
    before_sensitive={"type": ["boolean", "object", "array", "null"]},
    after_sensitive={"type": ["boolean", "object", "array", "null"]},
    after_unknown={"type": ["boolean", "object", "array", "null"]},
    importing={"type": ["object", "null"]},
)
_RESOURCE = _object(
    address={"type": "string"},
    type={"type": "string"},
    mode={"type": "string"},
    previous_address=_TEXT,
    action_reason=_TEXT,
    deposed=_TEXT,
    change={
        **_CHANGE,
        "properties": {
            **_CHANGE["properties"],
            "before": {"type": ["object", "null"]},
            "after": {"type": ["object", "null"]},
        },
    },
)
_PROBLEM = _object(message=_TEXT)
_CHECK = _object(
    address=_object(to_display={"type": "string"}),
    status={"type": "string"},
    instances=_list(_object(problems=_list(_PROBLEM))),
)

_PLAN = _object(
    terraform_version=_TEXT,
    resource_changes=_list(_RESOURCE),
    resource_drift=_list(_RESOURCE),
    deferred_changes=_list(_object(resource_change=_RESOURCE)),
    output_changes={"type": ["object", "null"], "additionalProperties": _CHANGE},
    planned_values={"type": ["object", "null"]},
    checks=_list(_CHECK),
    configuration={
        "type": ["object", "null"],
        "properties": {"root_module": {"type": ["object", "null"], "properties": {"resources": _list({})}}},
    },
)

_WORDS: dict[type, str] = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a map",
    type(None): "null",
}


def misshapen(document: Any) -> str:
    """The first value that a plan cannot have there, in words; empty if it has the form of one."""
    error = next(errors_of(_PLAN, document), None)
    if error is None:
        return ""
    # The value itself may be secret.
    return f"{_path(error.absolute_path)} is {_WORDS.get(type(error.instance), 'something else')}"


def _path(keys: Iterable[str | int]) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys).lstrip(".")
