"""Keys that only some parts of a type have, such as volumes of one kind: `Only` in the published schema.

The part lists such a key as `true`, which editors do not offer, so that it is no unknown one. What it takes
is in the `then` of a condition on the other keys; for all other parts it is `false`.
"""

from collections.abc import Mapping
from typing import Any

from clusterprint.validate.validator import Schema, accepts


def properties(schema: Schema, part: Mapping[str, Any] | None = None) -> dict[str, Schema]:
    """The keys that a map like `part` can have, with their schemas; without `part`, those of any map."""
    own: dict[str, Any] = {}
    for each in schema.get("allOf", ()):
        if part is None or accepts(each["if"], part):
            own |= each["then"]["properties"]
    listed = schema.get("properties", {})
    return {key: own.get(key, each) for key, each in listed.items() if each is not True or key in own}
