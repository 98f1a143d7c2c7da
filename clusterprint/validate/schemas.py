"""The published schemas, in schema/ of a checkout and in an installed wheel."""

import json
from functools import cache
from pathlib import Path

from clusterprint import assets
from clusterprint.blueprint import KINDS
from clusterprint.validate.validator import Schema

#: The schema of all kinds.
ALL = "blueprint"
#: The schema of what commands print.
OUTPUTS = "outputs"


def schema_file(name: str) -> Path:
    """The file of a schema: that of a kind, `policy`, or `blueprint`, which refers to those of all kinds."""
    return assets.folder("schema") / (f"{name}.json" if name == OUTPUTS else f"{name}.schema.json")


@cache
def schema_of(name: str) -> Schema:
    """A published schema, by its name."""
    loaded: Schema = json.loads(schema_file(name).read_text("utf-8"))
    return loaded


def whole_schema(name: str) -> str:
    """JSON of a schema that needs no other file: that of all kinds has the kinds as its definitions."""
    text = schema_file(name).read_text("utf-8")
    if name != ALL:
        return text
    for kind in KINDS:
        text = text.replace(f'"{kind}.schema.json"', f'"#/definitions/{kind}"')
    definitions = {kind: _as_definition(schema_of(kind)) for kind in KINDS}
    return json.dumps(json.loads(text) | {"definitions": definitions}, indent=2, ensure_ascii=False) + "\n"


def _as_definition(schema: Schema) -> Schema:
    """A schema of its own as a part of another."""
    return {key: value for key, value in schema.items() if key not in ("$schema", "$id")}
