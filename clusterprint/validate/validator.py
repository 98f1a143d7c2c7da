"""The validator of JSON Schema, with two corrections.

A pattern matches the whole string, and `3.0` is not an integer.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft7Validator, ValidationError
from jsonschema.validators import extend

Schema = dict[str, Any]


def errors_of(schema: Schema, value: Any) -> Iterator[ValidationError]:
    """Everything about a value that a schema refuses. The schema is a published one, or a part of it."""
    yield from _validator(schema).iter_errors(value)


def accepts(schema: Schema, value: Any) -> bool:
    """Whether a schema takes a value."""
    return next(errors_of(schema, value), None) is None


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

# By identity, with the schema itself, so that no other object takes its place.
_validators: dict[int, tuple[Schema, Any]] = {}


def _validator(schema: Schema) -> Any:
    """A validator is costly to make and schemas are few, so each is made once."""
    return _validators.setdefault(id(schema), (schema, _Validator(schema)))[1]
