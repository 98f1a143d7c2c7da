"""Reports of real providers about their arguments -> the tables of simcloud/clusterprint_simcloud/facts/.

    python tools/tabulate_providers.py FOLDER DATE

FOLDER holds one `<provider>-<version>.json` for each provider and version, read off the provider on DATE:
`{"types": {type: {"arguments": {dotted path: {...}}}}}`, where an argument is what the schema of the
provider's SDK says of it (`type`, `required`, `optional`, `computed`, `force_new`, `sensitive`, `default`,
`min_items`, `max_items`, `conflicts_with`, `exactly_one_of`, `at_least_one_of`, `required_with`), and what
its `ValidateFunc` says of a value that nobody would accept: the words (`one_of`), the pattern of the whole
text (`matches`; in maps of each value, and of each key: `keys`) or the limits (`least`, `most`) that it
names. A program that links the provider, walks its resource map and prints this is all that it takes to
make one. After it, `make generate`.

Types that an earlier table has from the provider's source (`from_source`) are kept until a report has them,
and so is what a version does not implement (`unimplemented`, `unsent`): each argument is sent and read back.

The oldest version of a provider is written whole, each later one as what differs from it, so that a person
can read what a new version changes. One line is one argument.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "simcloud" / "clusterprint_simcloud" / "facts"
#: Said in one word each; everything else of an argument has a value.
FLAGS = ("required", "optional", "computed", "force_new", "sensitive")
VALUES = ("default", "min_items", "max_items", "one_of", "matches", "keys", "least", "most")
SOURCE = (
    "The schemas of its resources, as the provider itself reports them; made by tools/tabulate_providers.py."
)
#: What no report has is kept: what a version has in its schema, and does not send.
_NOT_SENT = ("unimplemented", "unsent")
GROUPS = ("conflicts_with", "exactly_one_of", "at_least_one_of", "required_with")

Row = str | dict[str, Any]
Types = dict[str, dict[str, Row | None]]


def tabulate(folder: Path, date: str) -> dict[str, str]:
    """Make every table: file name -> content."""
    tables: dict[str, str] = {}
    oldest: dict[str, tuple[str, Types]] = {}
    sourced: dict[str, set[str]] = {}
    for path in sorted(folder.glob("*-*.json"), key=_age):
        provider, _, version = path.stem.rpartition("-")
        report = json.loads(path.read_text("utf-8"))
        types = {name: _rows(one["arguments"]) for name, one in report["types"].items()}
        heading: dict[str, Any] = {"provider": provider, "version": version, "source": SOURCE, "read": date}
        kept = _from_source(path.name, types)
        if kept:
            heading["from_source"] = kept
        heading |= {name: one for name, one in _before(path.name).items() if name.startswith(_NOT_SENT)}
        if provider in oldest:
            base, before = oldest[provider]
            # What a report lacks because nobody asked has not gone from the provider.
            types |= {
                one: rows for one, rows in before.items() if one in sourced[provider] and one not in types
            }
            heading["differs_from"] = base
            types = _difference(before, types)
        else:
            oldest[provider] = (version, types)
            sourced[provider] = set(kept)
        tables[path.name] = _laid_out(heading, types)
    return tables


def _from_source(table: str, types: Types) -> dict[str, str]:
    """Add to the types what no report has, from the table that is there; where in the source it was read."""
    before = _before(table)
    kept = {name: place for name, place in before.get("from_source", {}).items() if name not in types}
    types |= {name: before["types"][name] for name in kept}
    return kept


def _before(table: str) -> dict[str, Any]:
    there = TABLES / table
    return json.loads(there.read_text("utf-8")) if there.exists() else {}


def _age(path: Path) -> tuple[str, list[int]]:
    provider, _, version = path.stem.rpartition("-")
    return provider, [int(part) for part in version.split(".")]


def _rows(arguments: dict[str, dict[str, Any]]) -> dict[str, Row | None]:
    return {path: _row(path, one) for path, one in sorted(arguments.items())}


def _row(path: str, argument: dict[str, Any]) -> Row:
    words = " ".join([argument["type"], *(flag for flag in FLAGS if argument.get(flag))])
    more = {name: argument[name] for name in VALUES if argument.get(name) is not None}
    # Only the newer framework has defaults of computed arguments; the SDK plans an empty text as null.
    if more.get("default") == "" and not argument.get("computed"):
        del more["default"]
    for name in GROUPS:
        if others := {re.sub(r"\.\d+(?=\.|$)", "", other) for other in argument.get(name, ())}:
            # As in the SDK: whoever is bound to others is one of them.
            more[name] = sorted(others | {path} if name.endswith("_one_of") else others - {path})
    return {"is": words, **more} if more else words


def _difference(before: Types, after: Types) -> Types:
    """The rows that are new or another, null for those that are gone."""
    found: Types = {}
    for name in sorted({*before, *after}):
        old, new = before.get(name, {}), after.get(name, {})
        rows = {path: new.get(path) for path in sorted({*old, *new}) if old.get(path) != new.get(path)}
        if rows or name not in before:
            found[name] = rows
    return found


def _laid_out(heading: dict[str, Any], types: Types) -> str:
    lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in heading.items()]
    lines.append(' "types": {')
    for name, rows in types.items():
        lines.append(f"  {json.dumps(name)}: {{")
        lines += (f"   {json.dumps(path)}: {json.dumps(row)}," for path, row in rows.items())
        lines[-1] = lines[-1].removesuffix(",")
        lines.append("  },")
    lines[-1] = "  }"
    return "\n".join(["{", *lines, " }", "}", ""])


if __name__ == "__main__":
    for file, text in tabulate(Path(sys.argv[1]), sys.argv[2]).items():
        (TABLES / file).write_text(text, "utf-8")
        print((TABLES / file).relative_to(ROOT))
