"""Runs the published schema of a kind on a document, and says in plain words what it found.

Each mistake is reported once, and remembered as a broken place, so that rules leave it alone.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from jsonschema import Draft7Validator, ValidationError
from jsonschema.validators import extend

from clusterprint import assets, did_you_mean
from clusterprint.diagnostic import Diagnostic
from clusterprint.document import Document, Place
from clusterprint.validate import words
from clusterprint.validate.codes import (
    MALFORMED,
    MISSING_KEY,
    NOT_ALLOWED,
    OUT_OF_RANGE,
    UNKNOWN_KEY,
    WRONG_TYPE,
)

Schema = dict[str, Any]

# Nothing that has a name in the catalog has a longer one, and comparing long texts takes long.
_LONGEST_NAME = 100


class SchemaResult(NamedTuple):
    """What is wrong, and the places that rules must not look at."""

    diagnostics: list[Diagnostic]
    broken: frozenset[Place]


@cache
def schema_of(kind: str) -> Schema:
    """The published schema of a kind."""
    loaded: Schema = json.loads((assets.folder("schema") / f"{kind}.schema.json").read_text("utf-8"))
    return loaded


def check_schema(document: Document, kind: str) -> SchemaResult:
    """Compare a document (whose data is a mapping) with the schema of its kind."""
    diagnostics = []
    broken = set(document.broken)
    reported = set()
    for place, diagnostic, touched in _mistakes(document, schema_of(kind)):
        # Several keywords can fail on one value; the first says enough. What load reported is enough, too.
        if place not in reported and place not in document.broken:
            reported.add(place)
            diagnostics.append(diagnostic)
        broken.update(touched)
    return SchemaResult(diagnostics, frozenset(broken))


Mistake = tuple[Place, Diagnostic, tuple[Place, ...]]

# A wrong type explains everything else that is wrong with a value, so it comes first.
_PRECEDENCE = ("type", "enum", "const", "pattern")


def _mistakes(document: Document, schema: Schema) -> Iterator[Mistake]:
    errors = list(_validator(schema).iter_errors(document.data))
    errors.sort(key=lambda error: _PRECEDENCE.index(error.validator) if error.validator in _PRECEDENCE else 9)
    for error in errors:
        place = tuple(error.absolute_path)
        if error.validator == "additionalProperties":
            yield from _unknown_keys(document, error, place, schema)
        elif error.validator == "required":
            yield from _missing_keys(document, error, place)
        elif "propertyNames" in error.absolute_schema_path:
            key = (*place, error.instance)
            # A key and its value can both be wrong: these are two places.
            yield (*key, "key"), _bad_key(document, error, key), (key,)
        else:
            yield place, _bad_value(document, error, place), (place,)


def _unknown_keys(document: Document, error: Any, place: Place, root: Schema) -> Iterator[Mistake]:
    known = error.schema["properties"]
    for key in error.instance:
        if key in known:
            continue
        at = (*place, key)
        meant = words.closest(key, [each for each in known if each not in error.instance])
        if meant:
            way_out = f"did you mean {meant!r}?"
        else:
            near = (home for home in places_of(root, str(key)) if _is_near(home, place))
            homes = [words.place(home) for home in sorted(near, key=len)]
            way_out = f"it belongs in {homes[0]}" if homes else f"known keys: {', '.join(known)}"
        message = f"unknown key {words.quoted(key)} in {words.place(place)}"
        diagnostic = Diagnostic(
            UNKNOWN_KEY.code, UNKNOWN_KEY.severity, message, document.key_label(at), help=way_out
        )
        # What the user meant was given, if under a wrong name: it is neither missing nor a default.
        yield at, diagnostic, (at, (*place, meant)) if meant else (at,)


def _is_near(home: Place, place: Place) -> bool:
    """Whether a key that stands at a place may belong in this home: around it, or in the same part.

    Keys of one name mean different things in other parts (`filestore` of add-ons is no storage).
    """
    return not home or not place or home[0] == place[0]


def _missing_keys(document: Document, error: Any, place: Place) -> Iterator[Mistake]:
    known = error.schema["properties"]
    unknown = [key for key in error.instance if key not in known]
    for key in error.schema["required"]:
        if key in error.instance:
            continue
        at = (*place, key)
        if any(words.closest(each, [k for k in known if k not in error.instance]) == key for each in unknown):
            continue  # reported as a misspelt key
        property_ = known[key]
        message = f"{words.place(place)} has no {words.quoted(key)}"
        way_out = f"add it: {property_['description'].partition('. ')[0].rstrip('.')}"
        example = property_.get("examples", property_.get("enum", [None]))[0]
        if isinstance(example, str):
            way_out += f" (for example {key}: {example})"
        diagnostic = Diagnostic(
            MISSING_KEY.code, MISSING_KEY.severity, message, document.key_label(place), help=way_out
        )
        yield at, diagnostic, (at,)


def _bad_key(document: Document, error: Any, at: Place) -> Diagnostic:
    what = error.schema.get("patternErrorMessage", "a key that is allowed here")
    message = f"{words.quoted(at[-1])} is not {what}"
    return Diagnostic(MALFORMED.code, MALFORMED.severity, message, document.key_label(at))


def _bad_value(document: Document, error: Any, place: Place) -> Diagnostic:
    topic = _TOPIC_OF.get(str(error.validator), MALFORMED)
    message, way_out = _explain(document, error, place)
    label = document.label(place)
    return Diagnostic(topic.code, topic.severity, message, label, help=way_out)


_TOPIC_OF = {
    "type": WRONG_TYPE,
    "enum": NOT_ALLOWED,
    "const": NOT_ALLOWED,
    "minimum": OUT_OF_RANGE,
    "maximum": OUT_OF_RANGE,
    "minLength": OUT_OF_RANGE,
    "maxLength": OUT_OF_RANGE,
    "minItems": OUT_OF_RANGE,
    "maxItems": OUT_OF_RANGE,
    "pattern": MALFORMED,
}


def _explain(document: Document, error: Any, place: Place) -> tuple[str, str]:
    """The message and the way out for a value that is wrong."""
    name, value, limit = words.place(place), error.instance, error.validator_value
    plain = document.written[place].plain if place in document.written else None
    if error.validator == "type":
        return words.wrong_type(name, str(limit), value, plain)
    if error.validator in ("enum", "const"):
        allowed = [str(each) for each in (limit if error.validator == "enum" else [limit])]
        return words.not_allowed(name, value, allowed)
    if error.validator == "pattern":
        form = error.schema.get("patternErrorMessage", "of the right form")
        return f"{name}: {words.quoted(value)} is not {form}", _meant(error.schema, value)
    if error.validator in ("minimum", "maximum"):
        side = "at least" if error.validator == "minimum" else "at most"
        return f"{name} is {value}, but must be {side} {limit}", ""
    if error.validator in ("minLength", "minItems"):
        return (f"{name} is empty" if not value else f"{name} is too short: at least {limit}"), ""
    return f"{name} is too long: at most {limit}", ""


def _meant(schema: Schema, value: str) -> str:
    """What was meant by a name that is not of the right form, where the catalog knows such names."""
    if "nameOf" not in schema or len(value) > _LONGEST_NAME:
        return words.of_link(value)
    way_out: str = getattr(did_you_mean, schema["nameOf"])(value)
    return way_out


def places_of(schema: Schema, key: str, at: Place = ()) -> list[Place]:
    """The places of a schema that have a key of this name."""
    found: list[Place] = []
    for name, each in schema.get("properties", {}).items():
        if name == key:
            found.append(at)
        inner = each.get("items", each)
        found += places_of(inner, key, (*at, name))
    return found


# ---- the two points where JSON Schema and what people mean part ways


def _whole_pattern(validator: Any, pattern: str, instance: Any, schema: Schema) -> Iterator[ValidationError]:  # noqa: ARG001
    # In Python `$` also matches before a last line break; in editors it does not.
    if isinstance(instance, str) and not _compiled(pattern).search(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern)


def _is_whole_number(checker: Any, instance: Any) -> bool:  # noqa: ARG001 - the signature that jsonschema asks for
    # `3.0` is not how one writes a count, and True is no number.
    return isinstance(instance, int) and not isinstance(instance, bool)


# The stubs leave this function without types.
_Validator = extend(  # type: ignore[no-untyped-call]
    Draft7Validator,
    {"pattern": _whole_pattern},
    type_checker=Draft7Validator.TYPE_CHECKER.redefine("integer", _is_whole_number),
)

_validators: dict[int, Any] = {}


def _validator(schema: Schema) -> Any:
    """A validator is costly to make and schemas are few, so each is made once."""
    return _validators.setdefault(id(schema), _Validator(schema))
