"""The part of the published schema that a path of keys leads to."""

from typing import Any

from clusterprint.validate.schemas import schema_of
from clusterprint.validate.variants import properties

Schema = dict[str, Any]


def schema_at(kind: str, path: tuple[str, ...]) -> Schema | None:
    """The schema of the field at a path, of the items for a list; None if there is no such field."""
    found: Schema = schema_of(kind)
    for key in path:
        below = properties(found).get(key)
        if below is None:
            return None
        found = below.get("items", below)
    return found


def field_at(kind: str, path: tuple[str, ...]) -> Schema | None:
    """The schema of the field itself: for a list, that of the list."""
    if not path:
        return schema_of(kind)
    around = schema_at(kind, path[:-1])
    return properties(around).get(path[-1]) if around else None


def path_of(place: tuple[str | int, ...]) -> tuple[str, ...]:
    """A place without positions in lists."""
    return tuple(each for each in place if isinstance(each, str))
