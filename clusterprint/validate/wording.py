"""Places and values in the words of the people who write blueprints."""

import json
import re
from collections.abc import Iterable
from typing import Any

from clusterprint import masking
from clusterprint.document import Place
from clusterprint.words.guesses import alike

TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a map of keys and values",
}

#: How the published schema begins what it says about a pattern, see `form_of`.
MUST_BE = "Must be "

_LONGEST = 60

#: How alike two words are when one was likely meant by the other.
LIKELY = 0.7


def place(keys: Place) -> str:
    """A place as one reads it: `nodes.capacity`, `storage.volumes[0]`, `the blueprint` for the whole."""
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
    words = tuple(candidates)
    swapped = (each for each in words if _is_swapped(plain(str(word)), plain(each)))
    return next(swapped, "") or next(iter(alike(str(word), words, cutoff=cutoff, plain=plain)), "")


def _is_swapped(word: str, other: str) -> bool:
    """Whether two neighbours changed places, which leaves little in common in short words."""
    if len(word) != len(other):
        return False
    pairs = [index for index, (one, two) in enumerate(zip(word, other, strict=True)) if one != two]
    if len(pairs) != 2:  # noqa: PLR2004 - a swap
        return False
    first, second = pairs
    return second == first + 1 and word[first] == other[second] and word[second] == other[first]


_VARIED = str.maketrans("", "", "-_ ")


def plain(word: str) -> str:
    """A word without what people vary: machineType, machine-type and machine_type are one."""
    return word.translate(_VARIED).lower()


def form_of(schema: dict[str, Any]) -> str:
    """The form of a pattern, to complete "it is ..."; empty if the schema has no pattern."""
    message: str = schema.get("patternErrorMessage", "")
    return message.removeprefix(MUST_BE).removesuffix(".")


def sentence_of(form: str) -> str:
    """The same as a sentence, as the published schema has it for editors."""
    return f"{MUST_BE}{form}."


# A reservation as consoles and other tools write it: with the API's address, or with its zone.
_RESERVATION = re.compile(
    r"(?:(?:https?:)?//[a-z.]+/(?:compute/[a-z0-9]+/)?)?(projects/[-a-z0-9.:]+)/zones/[-a-z0-9]+"
    r"(/reservations/[-a-z0-9]+(?:/reservation(?:Sub)?Blocks/[-a-z0-9]+){0,2})"
)


def of_link(value: Any) -> str:
    """The help for a link to something that blueprints name without host and zone."""
    found = _RESERVATION.fullmatch(value) if isinstance(value, str) else None
    return f"write {found[1]}{found[2]}" if found else ""


def types_of(schema: dict[str, Any]) -> list[str]:
    """The types that a schema takes, the one in full first. A few fixed words are text, said or not."""
    types = schema.get("type", "string")
    return [types] if isinstance(types, str) else types


def type_of(schema: dict[str, Any]) -> str:
    """The types in the words of YAML."""
    return " or ".join(TYPES[each] for each in types_of(schema))


def wrong_type(name: str, schema: dict[str, Any], value: Any) -> str:
    """The message about a value of the wrong type."""
    want = type_of(schema)
    if value is None:
        return f"{name} has no value, but must be {want}"
    return f"{name} must be {want}, not {_kind_of(value)}"


def _kind_of(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    return TYPES["array"] if isinstance(value, list) else TYPES["object"]


def not_allowed(name: str, value: Any, allowed: list[str]) -> str:
    """The message about a value that is not one of a few words."""
    if len(allowed) == 1:
        return f"{name} is {quoted(value)}, but must be {quoted(allowed[0])}"
    return f"{name} is {quoted(value)}, but must be one of: {', '.join(allowed)}"
