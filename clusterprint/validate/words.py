"""Places and values in the words of the people who write blueprints."""

import difflib
import json
import re
from collections.abc import Iterable
from typing import Any

from clusterprint import masking
from clusterprint.document import Place

TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a map of keys and values",
}

_LONGEST = 60

#: How alike two words are when one was likely meant by the other.
LIKELY = 0.7


def place(keys: Place) -> str:
    """A place as one reads it: `nodes.capacity`, `storage.buckets[0]`, `the blueprint` for the whole."""
    text = ""
    for key in keys:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else str(key)
    return text or "the blueprint"


def quoted(value: Any) -> str:
    """A value as the user wrote it, in single quotes if it is text, cut if it is long."""
    text = masking.mask(value if isinstance(value, str) else json.dumps(value, default=str))
    escaped = text.encode("unicode_escape").decode("ascii") if not text.isprintable() else text
    short = escaped if len(escaped) <= _LONGEST else escaped[: _LONGEST - 3] + "..."
    return f"'{short}'" if isinstance(value, str) else short


def closest(word: Any, candidates: Iterable[str], cutoff: float = LIKELY) -> str:
    """The candidate that was most likely meant, or an empty text; `cutoff` 1 asks for equality."""
    known = {plain(each): each for each in candidates}
    near = difflib.get_close_matches(plain(str(word)), known, n=1, cutoff=cutoff)
    return known[near[0]] if near else ""


def plain(word: str) -> str:
    """A word without what people vary: machineType, machine-type and machine_type are one."""
    return re.sub(r"[-_ ]", "", word).lower()


# A reservation as consoles and other tools write it: with the API's address, or with its zone.
_RESERVATION = re.compile(
    r"(?:(?:https?:)?//[a-z.]+/(?:compute/[a-z0-9]+/)?)?(projects/[-a-z0-9.:]+)/zones/[-a-z0-9]+"
    r"(/reservations/[-a-z0-9]+(?:/reservation(?:Sub)?Blocks/[-a-z0-9]+){0,2})"
)


def of_link(value: Any) -> str:
    """The way out for a link to something that blueprints name without host and zone."""
    found = _RESERVATION.fullmatch(value) if isinstance(value, str) else None
    return f"write {found[1]}{found[2]}" if found else ""


def wrong_type(name: str, wanted: str, value: Any, plain: str | None) -> tuple[str, str]:
    """Message and way out for a value of the wrong type; `plain` is its text if it was not quoted."""
    want = TYPES[wanted]
    if value is None:
        return f"{name} has no value, but must be {want}", "give it a value, or remove the key"
    message = f"{name} must be {want}, not {_kind_of(value)}"
    return message, _way_out(wanted, value, plain)


def _kind_of(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    return TYPES["array"] if isinstance(value, list) else TYPES["object"]


_YES = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}


def _way_out(wanted: str, value: Any, plain: str | None) -> str:
    if wanted == "string" and plain is not None:
        return f'put it in quotes: "{plain}"'
    if wanted == "array" and not isinstance(value, dict):
        return f"put it in a list: [{value if plain is None else plain}]"
    if not isinstance(value, str):
        return ""
    if wanted == "boolean" and value.lower() in _YES:
        return f"YAML 1.2 reads {value!r} as text; write {_YES[value.lower()]}"
    if wanted in ("integer", "number"):
        return _number_way_out(value, plain)
    return ""


def _number_way_out(value: str, plain: str | None) -> str:
    if plain is None and re.fullmatch(r"-?[0-9]+", value):
        return f"remove the quotes: {value}"
    digits = value.replace("_", "").replace(",", "")
    if re.fullmatch(r"-?0[0-9]+", digits):
        return f"a leading zero is octal to some readers and decimal to others; write {int(digits)}"
    if re.fullmatch(r"-?[0-9]+", digits):
        return f"write the digits only: {digits}"
    return ""


def not_allowed(name: str, value: Any, allowed: list[str]) -> tuple[str, str]:
    """Message and way out for a value that is not one of a few words."""
    meant = closest(value, allowed)
    way_out = f"did you mean {meant!r}?" if meant else ""
    if len(allowed) == 1:
        return f"{name} is {quoted(value)}, but must be {quoted(allowed[0])}", way_out
    return f"{name} is {quoted(value)}, but must be one of: {', '.join(allowed)}", way_out
