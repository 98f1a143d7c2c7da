"""The names of runs: a changed definition of a job, or changed files, make another run.

A name contains a checksum of the blueprint's values, so another run is a planned change and `results` knows
which one to wait for. It never covers defaults: a release of clusterprint that adds a field, or changes the
default of one, reruns no job.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from clusterprint.blueprint.part import Part

# How many characters of the checksum a name carries.
_LENGTH = 8


def run_name(name: str, job: Part, *more: object) -> str:
    """`<name>-<checksum>` of all that is said about a job, and of the files that it reads."""
    return checksummed(name, [said(job), *more])


def checksummed(name: str, content: object) -> str:
    """`<name>-<checksum>` of any plain content; the order of keys makes no difference."""
    import hashlib  # only for what has runs: it takes 4 ms

    text = msgspec.json.encode(content, order="deterministic")
    return f"{name}-{hashlib.sha256(text).hexdigest()[:_LENGTH]}"


def said(value: Any) -> Any:
    """A part, and the parts in it, as plain data without the fields that have their default value."""
    if isinstance(value, Part):
        fields = msgspec.structs.fields(value)
        return {
            field.name: said(given)
            for field in fields
            if (given := getattr(value, field.name)) != _default(field)
        }
    if isinstance(value, Mapping):
        return {key: said(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [said(each) for each in value]
    return value


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default
