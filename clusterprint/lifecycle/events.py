"""Events of Terraform: lines of JSON, as `-json` prints them; any other line is text."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

#: Terraform's own words for what it does to a resource.
DOING = {
    "create": "creating",
    "update": "changing",
    "delete": "destroying",
    "replace": "replacing",
    "read": "reading",
}
DONE = {
    "create": "created",
    "update": "changed",
    "delete": "destroyed",
    "replace": "replaced",
    "read": "read",
}


#: What people are told where Terraform printed the state, as it could save it nowhere; and if that is lost.
NOWHERE = "Terraform could write the state nowhere"
LOST = "what was created since is in no state, and the same command needs --adopt"
_DUMP = '"Emergency state dump"'


class Event(NamedTuple):
    """One line. `sort` is Terraform's type of it, empty for text; `text` is what people read.

    `outputs` are those that stand now, without the values of secret ones: said at the end of an apply.
    `output` is what a script has printed that runs for a resource. `state` is one that Terraform could save
    nowhere, and prints instead, with all secrets in it.
    """

    sort: str
    text: str
    address: str = ""
    action: str = ""
    seconds: int = 0
    error: str = ""
    total: int = 0
    outputs: Mapping[str, Any] = MappingProxyType({})
    output: str = ""
    state: Mapping[str, Any] = MappingProxyType({})


def read_event(line: str) -> Event:
    """The event in a line."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        # On a full disk the dump itself is cut off; it has secrets in it.
        return Event("", f"{NOWHERE}: {LOST}" if _DUMP in line else line)
    if state := _map(document.get("state")):
        return Event("state", "", state=state)
    hook = _map(document.get("hook"))
    sort = str(document.get("type", ""))
    text = str(document.get("@message", ""))
    changes = _map(document.get("changes"))
    diagnostic = _map(document.get("diagnostic"))
    return Event(
        sort=sort,
        text=text,
        address=str(_map(hook.get("resource")).get("addr") or diagnostic.get("address") or ""),
        action=str(hook.get("action", "")),
        seconds=int(hook.get("elapsed_seconds") or 0),
        error=_error(diagnostic),
        total=sum(int(changes.get(key) or 0) for key in ("add", "change", "remove")),
        outputs=_map(document.get("outputs")),
        output=str(hook.get("output") or ""),
    )


def _error(diagnostic: dict[str, Any]) -> str:
    if diagnostic.get("severity") != "error":
        return ""
    summary, detail = str(diagnostic.get("summary", "")), str(diagnostic.get("detail", ""))
    return f"{summary}\n{detail}".strip()


def _map(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
