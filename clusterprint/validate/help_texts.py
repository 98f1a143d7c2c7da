"""The help for a value that the schema refuses: what to write in its place.

The schema knows the form, so nothing here is about one key; each help that shows a value has been
tried on the schema.
"""

import json
import re
from typing import Any

from clusterprint import did_you_mean, masking, words
from clusterprint.validate import synonyms, variants, wording
from clusterprint.validate.proposals import propose
from clusterprint.validate.validator import Schema, accepts
from clusterprint.words.letters import find_odd, make_plain

_LISTED = 8
_LONGEST = 60
# Nothing that has a name in the catalog has a longer one, and comparing long texts takes long.
_LONGEST_NAME = 100
_YES = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}
_SWITCHES = frozenset((*_YES, "true", "false"))
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTED = {word: number for number, word in enumerate(_NUMBERS)}
# Units as keys end with them, in GB; to the clouds a disk's GB is a GiB.
_UNITS = {"gb": 1, "gib": 1, "tb": 1000, "tib": 1024, "mb": 0.001, "mib": 1 / 1024}
_VARIABLE = re.compile(r"\$\{|\{\{|^\$[A-Za-z_]")
_COMMENT = re.compile(r"(?:^//|\s//)(?:\s|$)|[^\s]#\s")
_MEASURE = re.compile(r"([0-9]+) *([A-Za-z]+)")


def of_malformed(text: str, schema: Schema) -> str:
    """The suggested replacement of a text of the wrong form."""
    if stray := _stray(text):
        return stray
    odd = find_odd(text)
    return "; ".join(
        filter(
            None,
            [
                odd.help_text if odd else "",
                wording.of_link(text) or _known(text, schema) or _proposal(text, schema),
            ],
        )
    )


def _known(text: str, schema: Schema) -> str:
    """The name that was meant, where the catalog knows all such names."""
    if "nameOf" not in schema or len(text) > _LONGEST_NAME:
        return ""
    help_text: str = getattr(did_you_mean, schema["nameOf"])(make_plain(text).strip())
    return help_text


def _proposal(text: str, schema: Schema) -> str:
    meant = propose(text, schema)
    return words.did_you_mean(meant and wording.quoted(meant))


def of_not_allowed(value: Any, allowed: list[str]) -> str:
    """The suggested replacement of a word that is not allowed."""
    if not isinstance(value, str):
        return f"write {allowed[0]}" if len(allowed) == 1 else ""
    odd = find_odd(value)
    meant = wording.closest(make_plain(value), allowed) or synonyms.value_for(value, allowed)
    if odd:
        return odd.help_text
    if meant:
        return words.did_you_mean(repr(meant))
    return f"write {allowed[0]}" if len(allowed) == 1 else ""


def of_wrong_type(key: str, value: Any, plain: str | None, schema: Schema) -> str:
    """The suggested replacement of a value of another type.

    `key` is empty for an item of a list; `plain` is the value's text if it was not quoted.
    """
    if value is None:
        return f"give it a value ({for_example(key, schema)}), or remove the key"
    if isinstance(value, str) and (odd := find_odd(value)):
        return odd.help_text
    if isinstance(value, str) and (stray := _stray(value)):
        return stray
    if isinstance(value, list) and len(value) == 1 and accepts(schema, value[0]):
        shown = "" if isinstance(value[0], dict) else f": {inline(value[0])}"
        return masking.mask(
            "remove the dash: it is one map, not a list" if not shown else f"write it without brackets{shown}"
        )
    ways = {
        "object": _map,
        "array": _list,
        "string": _text,
        "integer": _number,
        "number": _number,
        "boolean": _boolean,
    }
    return masking.mask(ways[wording.types_of(schema)[0]](key, value, plain, schema))


def _stray(text: str) -> str:
    """The help for a text that has more in it than the value."""
    if _VARIABLE.search(text):
        return "a blueprint has no variables: write the value itself"
    if _COMMENT.search(text):
        return "a comment begins with a space and `#`"
    return "remove the `;`" if text.endswith(";") else ""


def _map(key: str, value: Any, plain: str | None, schema: Schema) -> str:
    if str(value).lower() in _SWITCHES:
        is_on = str(value).lower() in {"true", "yes", "on", "y"}
        return f"write {_at(key)}{{}}" if is_on and accepts(schema, {}) else for_example(key, schema)
    if not isinstance(value, list):
        entry = _entry(value if plain is None or not isinstance(value, float) else plain, schema)
        if entry:
            return f"write {_at(key)}{inline(entry)}"
    return for_example(key, schema)


def _entry(value: Any, schema: Schema) -> dict[str, Any]:
    """A scalar as the map that was meant: under the key that takes it. Empty if that is not clear."""
    properties = variants.properties(schema)
    if isinstance(value, str):
        for name, each in properties.items():
            allowed = each.get("enum", ())
            meant = wording.closest(value, allowed) or synonyms.value_for(value, allowed)
            if meant:
                # Some words need more to be said, under a key of the same name.
                return {name: meant, **({meant: ...} if meant in properties else {})}
        if {"file", "inline"} <= properties.keys():
            return {"inline" if re.search(r"\s", value.strip()) else "file": value.strip()}
    required = schema.get("required") or list(properties)
    fits = [name for name, each in properties.items() if _has_form(each) and accepts(each, value)]
    if len(fits) == 1 and required in (fits, list(properties)):
        return {fits[0]: value}
    if len(required) == 1 and not fits:
        only = properties[required[0]]
        inner = _entry(value, only) if only.get("type") == "object" else _proposed(value, only)
        return {required[0]: inner} if inner else {}
    return {fits[0]: value} if len(fits) == 1 and not schema.get("required") else {}


def _has_form(schema: Schema) -> bool:
    """Whether a schema takes a scalar of a form of its own, so that taking one says something."""
    return "pattern" in schema or schema.get("type") in {"integer", "number"}


def _proposed(value: Any, schema: Schema) -> str:
    return propose(value, schema) if isinstance(value, str) and "pattern" in schema else ""


def _list(key: str, value: Any, plain: str | None, schema: Schema) -> str:
    items = schema["items"]
    if items.get("type") != "object":
        return for_example(key, schema) if isinstance(value, dict) else _words_in_list(value, plain)
    if not isinstance(value, dict):
        entry = _entry(value, items)
        return f"write {_at(key)}[{inline(entry)}]" if entry else for_example(key, schema)
    known = variants.properties(items)
    if accepts(items, value) and len(whole := inline(value)) <= _LONGEST:
        return f"write {_at(key)}[{whole}]"
    if any(each in known for each in value):
        return "it is a list: put a dash and a space (`- `) before its first key, and indent the others"
    if value and "name" in known:
        first = next(iter(value))
        return f"it is a list: write `- name: {first}` instead of `{first}:`"
    return for_example(key, schema)


def _words_in_list(value: Any, plain: str | None) -> str:
    """A text with several words in it as the list of these."""
    text = str(value) if plain is None else plain
    parts = [each for each in re.split(r",\s*|\s+", text) if each]
    return f"put it in a list: [{', '.join(map(inline, parts)) if len(parts) > 1 else text}]"


def _text(key: str, value: Any, plain: str | None, schema: Schema) -> str:  # noqa: ARG001 - as its siblings
    if plain is None:
        return for_example(key, schema)
    if accepts(schema, plain):
        return f'put it in quotes: "{plain}"'
    meant = propose(plain, schema)
    form = wording.form_of(schema)
    return f"write {meant}" if meant else f"it takes {form}" if form else for_example(key, schema)


def _number(key: str, value: Any, plain: str | None, schema: Schema) -> str:
    if isinstance(value, float) and value.is_integer():
        return f"write {int(value)}"
    if not isinstance(value, str):
        return for_example(key, schema)
    return _digits(value, plain) or _measure(key, value) or for_example(key, schema)


def _digits(text: str, plain: str | None) -> str:
    """The help for a text that is a number, but written as none."""
    if text.lower() in _COUNTED:
        return f"write {_COUNTED[text.lower()]}"
    if plain is None and re.fullmatch(r"-?[0-9]+", text):
        return f"remove the quotes: {text}"
    digits = text.replace("_", "").replace(",", "")
    if re.fullmatch(r"-?0[0-9]+", digits):
        return f"a leading zero is octal to some readers and decimal to others; write {int(digits)}"
    return f"write the digits only: {digits}" if re.fullmatch(r"-?[0-9]+", digits) else ""


def _measure(key: str, text: str) -> str:
    """The help for a number with its unit."""
    found = _MEASURE.fullmatch(text.strip())
    if not found:
        return ""
    number, unit = int(found[1]), found[2].lower()
    own = key.rpartition("_")[2]
    if own not in _UNITS:
        return f"write the number only: {number}"
    # `500G` and `500GB` are what the key counts in, as far as people who write them care.
    factor = _UNITS.get(unit if unit.endswith("b") else f"{unit}b")
    amount = number * factor / _UNITS[own] if factor else 0
    if not factor or amount != int(amount):
        return f"write a number only, of {own.upper()}: the unit is in the key"
    return f"write {int(amount)}: the unit is in the key"


def _boolean(key: str, value: Any, plain: str | None, schema: Schema) -> str:  # noqa: ARG001 - as its siblings
    if isinstance(value, str) and value.lower() in _YES:
        return f"YAML 1.2 reads {value!r} as text; write {_YES[value.lower()]}"
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return f"remove the quotes: {value.lower()}" if plain is None else f"write {value.lower()}"
    if value in (0, 1):
        return f"write {'true' if value else 'false'}"
    return "write true or false"


def for_example(key: str, schema: Schema) -> str:
    """How a value of the key looks, in the words of the schema."""
    shown = _example(schema)
    if shown is not None:
        return f"for example {_at(key)}{inline(shown)}"
    known = list(variants.properties(schema))
    if known:
        more = ", ..." if len(known) > _LISTED else ""
        return f"it has keys of its own: {', '.join(known[:_LISTED])}{more}"
    return f"write {wording.type_of(schema)}"


def _example(schema: Schema) -> Any:
    """A value that shows something, None if the schema has none."""
    for example in [*schema.get("examples", ()), schema.get("default")]:
        if example is not None and not _is_hollow(example):
            if isinstance(example, dict):
                return {name: each for name, each in example.items() if not _is_hollow(each)}
            return example
    inner = _example(schema["items"]) if "items" in schema else None
    return None if inner is None else [inner]


def _is_hollow(value: Any) -> bool:
    """Whether a value shows nothing: it is empty, or all in it is."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
    return all(each in ({}, []) for each in inner)


def _at(key: str) -> str:
    return f"{key}: " if key else ""


def inline(value: Any, longest: int | None = _LONGEST) -> str:
    """A value as YAML on one line; three dots for a text that is longer."""
    if value is ...:
        return "..."
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {inline(each, longest)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(inline(each, longest) for each in value)}]"
    if isinstance(value, str) and longest is not None and len(value) > longest:
        return "..."
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z./][-\w./@+]*", value):
        return value
    return json.dumps(value, ensure_ascii=False)
