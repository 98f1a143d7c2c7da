"""The published schemas, as they lie in schema/ and in an installed wheel."""

import json
from functools import cache
from pathlib import Path

from clusterprint import assets
from clusterprint.validate.validator import Schema


def schema_file(name: str) -> Path:
    """The file of a schema: that of a kind, `policy`, or `blueprint`, which has all kinds."""
    return assets.folder("schema") / f"{name}.schema.json"


@cache
def schema_of(name: str) -> Schema:
    """A published schema, by its name."""
    loaded: Schema = json.loads(schema_file(name).read_text("utf-8"))
    return loaded
