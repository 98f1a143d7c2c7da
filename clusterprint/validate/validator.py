"""Errors of a value by a schema: JSON Schema, with three corrections.

A pattern matches the whole string, `3.0` is not an integer, and a key that is `false` is wrong at its own
place.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from clusterprint.validate.fitting import Schema, Unsure, fits, is_a, whole

if TYPE_CHECKING:
    from jsonschema import ValidationError

__all__ = ["Schema", "accepts", "errors_of"]

_GRAMMARS = "rfc3987_syntax"


def errors_of(schema: Schema, value: Any) -> "Iterator[ValidationError]":
    """Everything about a value that a schema refuses. The schema is a published one, or a part of it."""
    try:
        if fits(schema, value):
            return
    except Unsure:
        pass
    yield from _validator(schema).iter_errors(value)


def accepts(schema: Schema, value: Any) -> bool:
    """Whether a schema takes a value."""
    return next(errors_of(schema, value), None) is None


@contextmanager
def _without_grammars() -> Iterator[None]:
    """Keeps jsonschema from importing rfc3987_syntax, which Jupyter brings along.

    It makes 38 grammars, for two seconds, to check formats that no schema of ours has.
    """
    is_there = _GRAMMARS in sys.modules
    if not is_there:
        sys.modules[_GRAMMARS] = None  # type: ignore[assignment] # the documented way to make an import fail
    try:
        yield
    finally:
        if not is_there:
            del sys.modules[_GRAMMARS]


@cache
def _validator_type() -> Any:
    with _without_grammars():  # only for what is wrong: see `fitting`
        from jsonschema import Draft7Validator, ValidationError
        from jsonschema.validators import extend

    def whole_pattern(_: Any, pattern: str, instance: Any, __: Schema) -> Iterator[ValidationError]:
        if isinstance(instance, str) and not whole(pattern).search(instance):
            yield ValidationError(f"{instance!r} does not match {pattern!r}")

    def properties(validator: Any, parts: Schema, instance: Any, _: Schema) -> Iterator[ValidationError]:
        for key, part in parts.items() if isinstance(instance, dict) else ():
            if key in instance and part is False:
                yield ValidationError(f"{key!r} is not allowed", path=[key])
            elif key in instance:
                yield from validator.descend(instance[key], part, path=key, schema_path=key)

    # The stubs leave this function without types.
    return extend(  # type: ignore[no-untyped-call]
        Draft7Validator,
        {"pattern": whole_pattern, "properties": properties},
        type_checker=Draft7Validator.TYPE_CHECKER.redefine(
            "integer", lambda _, instance: is_a("integer", instance)
        ),
    )


# By identity, with the schema itself, so that no other object takes its place.
_validators: dict[int, tuple[Schema, Any]] = {}


def _validator(schema: Schema) -> Any:
    """A validator is costly to make and schemas are few, so each is made once."""
    return _validators.setdefault(id(schema), (schema, _validator_type()(schema)))[1]
