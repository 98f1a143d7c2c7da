"""Runs the published schema of a kind on a document, and says in plain words what it found.

Each mistake is reported once, and remembered as a broken place, so that rules leave it alone.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.broken import BROKEN
from clusterprint.diagnostic import Diagnostic
from clusterprint.document import Document, Place
from clusterprint.validate import help_texts, keys, old_storage, schema_fixes, variants, wording
from clusterprint.validate.codes import (
    MALFORMED,
    MISSING_KEY,
    NOT_ALLOWED,
    OUT_OF_RANGE,
    UNKNOWN_KEY,
    WRONG_TYPE,
)
from clusterprint.validate.schemas import schema_of
from clusterprint.validate.validator import Schema, errors_of


class SchemaResult(NamedTuple):
    """The schema errors, and what stands for the values of places with one, see `convert`."""

    diagnostics: list[Diagnostic]
    broken: Mapping[Place, Any]


def check_schema(document: Document, kind: str) -> SchemaResult:
    """Compare a document (whose data is a mapping) with the schema of its kind."""
    diagnostics = []
    broken: dict[Place, Any] = dict.fromkeys(document.broken, BROKEN)
    reported = set()
    errors = list(errors_of(schema_of(kind), document.data))
    # A key that parts of another kind have: rules on the types report it (`Only`), as if it were left out.
    broken |= {tuple(error.absolute_path): UNSET for error in errors if error.validator == "properties"}
    for place, diagnostic, touched in _mistakes(document, errors, kind):
        # Several keywords can fail on one value; the first says enough. What load reported is enough, too.
        if place not in reported and place not in document.broken:
            reported.add(place)
            diagnostics.append(diagnostic)
        broken |= dict.fromkeys(touched, BROKEN)
    return SchemaResult(diagnostics, broken)


Mistake = tuple[Place, Diagnostic, tuple[Place, ...]]

# A wrong type explains everything else that is wrong with a value, so it comes first.
_PRECEDENCE = ("type", "enum", "const", "pattern")


def _mistakes(document: Document, errors: list[Any], kind: str) -> Iterator[Mistake]:
    errors = [error for error in errors if error.validator != "properties"]
    errors.sort(key=lambda error: _PRECEDENCE.index(error.validator) if error.validator in _PRECEDENCE else 9)
    for error in errors:
        place: Place = tuple(error.absolute_path)
        if error.validator == "additionalProperties":
            yield from _unknown_keys(document, error, place, kind)
        elif error.validator == "required":
            yield from _missing_keys(document, error, place)
        elif "propertyNames" in error.absolute_schema_path:
            key: Place = (*place, str(error.instance))
            # A key and its value can both be wrong: these are two places.
            yield (*key, "key"), _bad_key(document, error, key), (key,)
        else:
            yield place, _bad_value(document, error, place), (place,)


def _unknown_keys(document: Document, error: Any, place: Place, kind: str) -> Iterator[Mistake]:
    own = error.schema | {"properties": variants.properties(error.schema, error.instance)}
    for key in error.instance:
        if keys.is_known(key, error.schema):
            continue
        at = (*place, key)
        if old := old_storage.moved(document, at, kind):
            yield at, _moved(document, at, old), (at, (*place, "volumes"))
            continue
        meant = keys.meant_key(key, error.instance, own)
        diagnostic = Diagnostic(
            UNKNOWN_KEY.code,
            UNKNOWN_KEY.severity,
            f"unknown key {wording.quoted(key)} in {wording.place(place)}",
            document.key_label(at),
            help=keys.help_for(document, at, meant, own, kind),
            instead=keys.only(key, meant, own),
        )
        # What the user meant was given, if under a wrong name: it is neither missing nor a default.
        yield at, diagnostic, (at, (*place, meant)) if meant else (at,)


def _moved(document: Document, at: Place, old: old_storage.Moved) -> Diagnostic:
    message = f"unknown key {wording.quoted(at[-1])} in {wording.place(at[:-1])}"
    edit = old.edit
    return Diagnostic(
        UNKNOWN_KEY.code,
        UNKNOWN_KEY.severity,
        message,
        document.key_label(at),
        help=old.help_text,
        instead=edit.text if edit else None,
        over=edit.span if edit else None,
    )


def missing_keys(document: Document, kind: str) -> Iterator[tuple[Place, str, Schema]]:
    """The keys that are missing and have no other name there: the place of the map, the key, its schema."""
    for error in errors_of(schema_of(kind), document.data):
        if error.validator == "required":
            place = tuple(error.absolute_path)
            known: Any = error.schema
            yield from ((place, key, known["properties"][key]) for key in _missing(error))


def _missing(error: Any) -> Iterator[str]:
    unknown = [key for key in error.instance if not keys.is_known(key, error.schema)]
    meant = {keys.meant_key(key, error.instance, error.schema) for key in unknown}
    for key in error.schema["required"]:
        if key not in error.instance and key not in meant:  # the latter is reported as a misspelt key
            yield key


def _missing_keys(document: Document, error: Any, place: Place) -> Iterator[Mistake]:
    for key in _missing(error):
        at = (*place, key)
        property_ = error.schema["properties"][key]
        message = f"{wording.place(place)} has no {wording.quoted(key)}"
        help_text = f"add it: {property_['description'].partition('. ')[0].rstrip('.')}"
        help_text += f" ({help_texts.for_example(key, property_)})"
        diagnostic = Diagnostic(
            MISSING_KEY.code, MISSING_KEY.severity, message, document.key_label(place), help=help_text
        )
        yield at, diagnostic, (at,)


def _bad_key(document: Document, error: Any, at: Place) -> Diagnostic:
    what = wording.form_of(error.schema) or "a key that is allowed here"
    message = f"{wording.quoted(at[-1])} is not {what}"
    help_text = help_texts.of_malformed(str(at[-1]), error.schema)
    return Diagnostic(MALFORMED.code, MALFORMED.severity, message, document.key_label(at), help=help_text)


def _bad_value(document: Document, error: Any, place: Place) -> Diagnostic:
    topic = _TOPIC_OF.get(str(error.validator), MALFORMED)
    message, help_text = _explain(document, error, place)
    label = document.label(place)
    instead = schema_fixes.of_value(error.validator, error.instance, _plain(document, place), error.schema)
    return Diagnostic(topic.code, topic.severity, message, label, help=help_text, instead=instead)


def _plain(document: Document, place: Place) -> str | None:
    return document.written[place].plain if place in document.written else None


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
    """The message and the help for a value that is wrong."""
    name, value, limit = wording.place(place), error.instance, error.validator_value
    plain = _plain(document, place)
    if error.validator == "type":
        key = place[-1] if place and isinstance(place[-1], str) else ""
        help_text = help_texts.of_wrong_type(key, value, plain, error.schema)
        return wording.wrong_type(name, error.schema, value), help_text
    if error.validator in ("enum", "const"):
        allowed = [str(each) for each in (limit if error.validator == "enum" else [limit])]
        return wording.not_allowed(name, value, allowed), help_texts.of_not_allowed(value, allowed)
    if error.validator == "pattern":
        form = wording.form_of(error.schema) or "of the right form"
        return f"{name}: {wording.quoted(value)} is not {form}", help_texts.of_malformed(value, error.schema)
    if error.validator in ("minimum", "maximum"):
        side = "at least" if error.validator == "minimum" else "at most"
        return f"{name} is {value}, but must be {side} {limit}", ""
    if error.validator in ("minLength", "minItems"):
        return (f"{name} is empty" if not value else f"{name} is too short: at least {limit}"), ""
    return f"{name} is too long: at most {limit}", ""
