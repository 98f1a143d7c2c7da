"""Google's discovery documents -> simcloud/clusterprint_simcloud/api/descriptions/, as far as needed.

    python tools/describe_apis.py FOLDER SOURCE                             make the tables anew
    python tools/describe_apis.py FOLDER SOURCE 'compute.networks.*' ...    with these methods, too

FOLDER holds the documents as the Go module google.golang.org/api has them:
`<service>/<version>/<service>-api.json`. SOURCE says where they are from ("google.golang.org/api
v0.312.0"); each table names it and the document's revision. A table has the methods that it had before and
those that an argument names (a shell pattern), and the schemas of their requests and responses; of both
only what a request is judged by. Tables of services without a document there stay as they are. Exit code 1
if a document no longer describes a method that a table has.
"""

import fnmatch
import json
import re
import sys
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "simcloud" / "clusterprint_simcloud" / "api" / "descriptions"
Json: TypeAlias = dict[str, Any]
#: What a value is judged by; `location` and `required` are those of parameters.
_JUDGED = ("$ref", "type", "format", "enum", "pattern", "readOnly", "required", "repeated", "location")


def main(arguments: Sequence[str]) -> int:
    """Write the tables; the exit code."""
    try:
        folder, source, *patterns = arguments
    except ValueError:
        print(__doc__, file=sys.stderr)
        return 2
    kept = {path.name: set(json.loads(path.read_text("utf-8"))["methods"]) for path in TABLES.glob("*.json")}
    gone: set[str] = set()
    for path in sorted(Path(folder).glob("*/*/*-api.json")):
        if not re.fullmatch(r"v\d+", path.parent.name):
            continue
        document = json.loads(path.read_text("utf-8"))
        name = f"{document['name']}-{document['version']}.json"
        before = kept.get(name, set())
        described = [one["id"] for one in _methods(document)]
        wanted = {
            one
            for one in described
            if one in before or any(fnmatch.fnmatchcase(one, each) for each in patterns)
        }
        table = _reduced(document, wanted)
        gone |= before - set(table["methods"])
        if table["methods"]:
            (TABLES / name).write_text(_laid_out({"source": source, **table}), "utf-8")
    if gone:
        print(f"no longer described: {', '.join(sorted(gone))}", file=sys.stderr)
    return 1 if gone else 0


def _reduced(document: Json, wanted: AbstractSet[str]) -> Json:
    """One document, with the methods that are wanted."""
    methods = {one["id"]: _method(one) for one in _methods(document) if one["id"] in wanted}
    schemas: Json = {}
    for method in methods.values():
        for end in ("request", "response"):
            _collect(document["schemas"], method.get(end, ""), schemas)
    return {
        "service": document["name"],
        "version": document["version"],
        "revision": document["revision"],
        "host": document["rootUrl"].removeprefix("https://").rstrip("/"),
        "base": "/" + document["servicePath"],
        "parameters": {name: _judged(one) for name, one in sorted(document["parameters"].items())},
        "methods": dict(sorted(methods.items())),
        "schemas": dict(sorted(schemas.items())),
    }


def _methods(part: Json) -> Iterator[Json]:
    yield from part.get("methods", {}).values()
    for resource in part.get("resources", {}).values():
        yield from _methods(resource)


def _method(method: Json) -> Json:
    kept: Json = {"verb": method["httpMethod"], "path": method.get("flatPath") or method["path"]}
    upload = method.get("mediaUpload", {}).get("protocols", {}).get("simple")
    if upload:
        kept["upload"] = upload["path"]
    if parameters := method.get("parameters"):
        kept["parameters"] = {name: _judged(one) for name, one in sorted(parameters.items())}
    for end in ("request", "response"):
        if end in method:
            kept[end] = method[end]["$ref"]
    return kept


def _collect(schemas: Json, name: str, into: Json) -> None:
    """The schema called `name` and all that it reaches."""
    if not name or name in into:
        return
    into[name] = _judged(schemas[name])
    for reference in re.findall(r'"\$ref": "(\w+)"', json.dumps(into[name])):
        _collect(schemas, reference, into)


def _judged(schema: Json) -> Json:
    """A schema without what only people read."""
    kept: Json = {key: schema[key] for key in _JUDGED if key in schema and not isinstance(schema[key], dict)}
    if re.match(r"\[?Output[ -]only", schema.get("description", ""), re.IGNORECASE):
        kept["readOnly"] = True  # what some documents say in words only
    if "properties" in schema:
        kept["properties"] = {name: _judged(one) for name, one in sorted(schema["properties"].items())}
    for inner in ("items", "additionalProperties"):
        if inner in schema:
            kept[inner] = _judged(schema[inner])
    return kept


def _laid_out(table: Json) -> str:
    """One line for each method and schema, so that a person can read what a new revision changes."""
    lines = []
    for key, value in table.items():
        if key in ("methods", "schemas"):
            inner = ",\n".join(f"{json.dumps(name)}:{_compact(one)}" for name, one in value.items())
            lines.append(f"{json.dumps(key)}:{{\n{inner}\n}}")
        else:
            lines.append(f"{json.dumps(key)}:{_compact(value)}")
    return "{" + ",\n".join(lines) + "}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
