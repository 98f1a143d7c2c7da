"""Blueprint types -> schema/: one schema per kind for the validator, one for editors; the index of rules.

    python tools/generate_schema.py           writes schema/
    python tools/generate_schema.py --check   compares, exit code 1 if schema/ is stale

The types say what a field is; this adds what types cannot say: draft-07 in the one style that gives
exact errors in validators and editors alike (if kind, then a closed definition of that kind), markdown
hovers, examples of whole parts, and a skeleton of each kind.
"""

import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from rule_conditions import conditions

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from clusterprint import rules  # noqa: E402 - the checkout first, then the import
from clusterprint.blueprint import KINDS, blueprint_type  # noqa: E402
from clusterprint.blueprint.part import Part  # noqa: E402
from clusterprint.blueprint.relations import Case, Names, Only, relations_of  # noqa: E402
from clusterprint.describe import example  # noqa: E402
from clusterprint.document import NOTES  # noqa: E402
from clusterprint.proof.types import Evidence  # noqa: E402
from clusterprint.review.policy.types import PolicyFile  # noqa: E402
from clusterprint.rules import index  # noqa: E402
from clusterprint.validate import variants, wording  # noqa: E402
from clusterprint.whatif.scenario import ScenarioFile  # noqa: E402

DRAFT = "http://json-schema.org/draft-07/schema#"
Schema = dict[str, Any]

# The keys of a property, in the order that people read them.
ORDER = (  # noqa: SIM905 - a list would be a page
    "$schema $id title description markdownDescription type const enum enumDescriptions pattern "
    "patternErrorMessage format nameOf refersTo ownedBy minLength maxLength minItems maxItems minimum "
    "maximum default examples propertyNames minProperties maxProperties items properties patternProperties "
    "required additionalProperties allOf"
).split()
#: Files that are no blueprints, by the names of their schemas.
SIDE_FILES: dict[str, type[Part]] = {"policy": PolicyFile, "scenario": ScenarioFile, "evidence": Evidence}
_OF_MAPS = ("properties", "required", "additionalProperties", "allOf")


def generate() -> dict[str, str]:
    """Make every file: path -> content."""
    kinds = {kind: kind_schema(kind) for kind in KINDS}
    files = {f"{kind}.schema.json": _heading(kind, schema) for kind, schema in kinds.items()}
    files["blueprint.schema.json"] = _editor_entry(kinds)
    for name, each in SIDE_FILES.items():
        files[f"{name}.schema.json"] = _heading(name, side_schema(name, each))
    made = {
        f"schema/{name}": json.dumps(each, indent=2, ensure_ascii=False) + "\n"
        for name, each in files.items()
    }
    return made | {index.FILE.relative_to(ROOT).as_posix(): rule_index()}


def rule_index() -> str:
    """The content of `index.json`: the entries of each folder, a line for each."""
    parts = []
    for folder in rules.all_folders():
        entries = sorted(
            _with_needs(each) for name in index.modules(folder) for each in index.read(folder, name)
        )
        lines = ",\n".join(json.dumps(each if each.needs else each[:-1]) for each in entries)
        parts.append(f"{json.dumps(folder)}: [\n{lines}\n]")
    return "{" + ",\n".join(parts) + "}\n"


def _with_needs(entry: index.Entry) -> index.Entry:
    if not entry.subjects:
        return entry
    return entry._replace(needs=tuple(conditions(entry.rule().check)))


def kind_schema(kind: str) -> Schema:
    """The closed definition of one kind, with every part in its place."""
    generated = msgspec.json.schema(blueprint_type(kind))
    definitions = generated.pop("$defs")
    _add_references(definitions)
    root = _inline(generated, definitions)
    first = ["clusterprint", "kind", "name"]
    properties = root["properties"]
    root["properties"] = {
        key: properties[key] for key in [*first, *(k for k in properties if k not in first)]
    }
    root["title"] = f"{kind} blueprint"
    root["required"] = [key for key in root["properties"] if key in root["required"]]
    root["examples"] = [example({k: v for k, v in root.items() if k != "examples"})]
    root["patternProperties"] = {
        f"^{NOTES}": {"description": "Whatever it holds is ignored: a place for anchors."}
    }
    return {key: root[key] for key in sorted(root, key=ORDER.index)}


def _add_references(definitions: dict[str, Schema]) -> None:
    """Say at each field that names an item of a list of the blueprint which lists those are."""
    for part in _below(Part):
        for relation in relations_of(part) if part.__name__ in definitions else ():
            if isinstance(relation, Names):
                field = definitions[part.__name__]["properties"][relation.field]
                field.get("items", field)["refersTo"] = list(relation.lists)
            elif isinstance(relation, Only):
                _add_variant(definitions[part.__name__], relation)


def _add_variant(part: Schema, relation: Only) -> None:
    """Say of fields that only some parts have what they take there, and that others have no such keys."""
    there = {field: part["properties"][field] | {"ownedBy": relation.owners} for field in relation.fields}
    cases = [_condition(part, case) for case in relation.cases]
    part["properties"] |= dict.fromkeys(there, True)
    part.setdefault("allOf", []).append(
        {
            "if": cases[0] if len(cases) == 1 else {"anyOf": cases},
            "then": {"properties": there},
            "else": {
                "properties": dict.fromkeys(there, False),
                "errorMessage": f"This is a key of {relation.owners}.",
            },
        }
    )


def _condition(part: Schema, case: Case) -> Schema:
    """The schema of maps in a case, and of those where another mistake hides whether they are in it."""
    wanted: dict[str, Any] = {}
    required = []
    for key, values in case:
        of_key = part["properties"][key]
        refused = [each for each in of_key.get("enum", (True, False)) if each not in values]
        wanted[key] = {"not": {"enum": refused}} if values else False
        # Left out, a required key is a mistake of its own; others are their default, or nothing.
        if values and (of_key["default"] in refused if "default" in of_key else key not in part["required"]):
            required.append(key)
    return {"properties": wanted} | ({"required": required} if required else {})


def _below(part: type[Part]) -> Iterator[type[Part]]:
    for each in part.__subclasses__():
        yield each
        yield from _below(each)


def side_schema(name: str, file: type[Part]) -> Schema:
    """The closed definition of a file that is no blueprint, and belongs to no kind."""
    generated = msgspec.json.schema(file)
    root = _inline(generated, generated.pop("$defs"))
    return {**root, "title": f"clusterprint {name}"}


def _inline(schema: Schema, definitions: dict[str, Schema]) -> Schema:
    """Replace each reference by what it refers to; what is said at the reference wins."""
    # A definition may be referred to several times: it stays as it is.
    schema = dict(schema)
    reference = schema.pop("$ref", None)
    if reference:
        schema = definitions[reference.rpartition("/")[2]] | schema
    schema.pop("title", None)
    schema = _of_one_type(schema)
    if "properties" in schema:
        schema["properties"] = {
            key: value if value is True else _inline(value, definitions)
            for key, value in schema["properties"].items()
        }
    if "allOf" in schema:
        schema["allOf"] = [each | {"then": _inline(each["then"], definitions)} for each in schema["allOf"]]
        if default := schema.get("default"):
            own = variants.properties(schema, default)
            schema["default"] = {key: value for key, value in default.items() if key in own}
    for key in ("items", "additionalProperties", "propertyNames"):
        if isinstance(schema.get(key), dict):
            schema[key] = _inline(schema[key], definitions)
    if not schema.get("required", True):
        del schema["required"]
    if schema.get("type") in ("object", "array") and "examples" not in schema and "default" not in schema:
        schema["examples"] = [example(schema)]
    return _documented(schema)


def _of_one_type(schema: Schema) -> Schema:
    """The same without what the type leaves out, also of a value that has one of two types."""
    if schema.get("type") == "string":  # a part that is written as a text
        return {key: value for key, value in schema.items() if key not in _OF_MAPS}
    without = "anyOf" if isinstance(schema.get("type"), list) else ""
    return {key: value for key, value in schema.items() if key != without}


def _documented(schema: Schema) -> Schema:
    """Add the hover text of editors, and put the keys in reading order."""
    if "enumDescriptions" in schema:
        # msgspec sorts the values of a Literal; the descriptions have them as people should read them
        described = schema["enumDescriptions"]
        if set(described) != set(schema["enum"]):
            raise ValueError(f"enumDescriptions {sorted(described)} do not match {schema['enum']}")
        schema |= {"enum": list(described), "enumDescriptions": list(described.values())}
    if "patternErrorMessage" in schema:
        schema["patternErrorMessage"] = wording.sentence_of(schema["patternErrorMessage"])
    if "description" in schema:
        # Python 3.13 takes the indentation out of docstrings, older ones do not.
        schema["description"] = inspect.cleandoc(schema["description"])
        lines = [schema["description"]]
        if "default" in schema:
            lines.append(f"Default: `{json.dumps(schema['default'])}`")  # editors show `examples` themselves
        schema["markdownDescription"] = "\n\n".join(lines)
    return {key: schema[key] for key in sorted(schema, key=ORDER.index)}


def _heading(kind: str, schema: Schema) -> Schema:
    return {"$schema": DRAFT, "$id": f"urn:clusterprint:v1:{kind}", **schema}


def _editor_entry(kinds: dict[str, Schema]) -> Schema:
    """The schema that editors are pointed at: the kind picks the file beside it.

    It has no `$id`, because the names of the files would be taken as relative to that.
    """
    kind = {
        "description": "Kind of cluster.",
        "enum": list(kinds),
        "enumDescriptions": [schema["description"] for schema in kinds.values()],
    }
    return {
        "$schema": DRAFT,
        "title": "clusterprint blueprint",
        "description": "An accelerator cluster, described in a few lines.",
        "type": "object",
        "required": ["clusterprint", "kind"],
        "properties": {
            "clusterprint": {"description": "Version of the blueprint language.", "enum": ["v1"]},
            "kind": kind,
        },
        "allOf": [
            {
                "if": {"properties": {"kind": _exactly(name)}, "required": ["kind"]},
                "then": {"$ref": f"{name}.schema.json"},
            }
            for name in kinds
        ],
        "defaultSnippets": [
            {"label": schema["title"], "description": schema["description"], "body": example(schema)}
            for schema in kinds.values()
        ],
    }


def _exactly(kind: str) -> Schema:
    """One kind and no other.

    Not `const`: while completing, yaml-language-server takes a `const` for matched by what it begins with,
    and offers the keys of vmss in a blueprint of kind vm.
    """
    return {"type": "string", "pattern": f"^{kind}$"}


def main() -> int:
    """Write the files, or compare them."""
    files = generate()
    if "--check" in sys.argv[1:]:
        stale = [
            name
            for name, text in files.items()
            if not (ROOT / name).is_file() or (ROOT / name).read_text("utf-8") != text
        ]
        if stale:
            print(f"stale: {', '.join(stale)}; run: make generate")
        return 1 if stale else 0
    for name, text in files.items():
        (ROOT / name).parent.mkdir(exist_ok=True)
        (ROOT / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
