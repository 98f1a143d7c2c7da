"""Facts that age: all that is pinned or written down from outside, with source, date and what would notice.

    python tools/ages.py                                 what is older than 90 days; exit code 1 if anything
    python tools/ages.py --days 0                        everything
    python tools/ages.py --today 2027-01-31 --days 60    as of another day

The tables are clusterprint/catalog/, whose entries have source and date, and tools/pins.json, which has every
other version that stands in the project. A test finds versions that stand in neither.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CATALOG = ROOT / "clusterprint" / "catalog"
PINS = ROOT / "tools" / "pins.json"

#: What would notice that an entry of a table is too old, besides this list; the longest beginning counts.
NOTICED = {
    "": "nothing besides this list",
    "kubernetes/components": "make real: every plan fetches the charts; images show on a cluster only",
    "kubernetes/fabrics": "make real, on a cluster",
    "google/images": "the first apply: a family that is gone has no image",
    "google/prices": "nothing besides this list; every report names source and day",
    "azure/prices": "nothing besides this list; every report names source and day",
    "google/zones": "one ignore comment lets a new region through (GCP090)",
    "azure/locations": "one ignore comment lets a new location through",
    "google/quotas": "`clusterprint doctor`: a metric that the project does not have",
    "azure/quotas": "`clusterprint doctor`: a family that the subscription does not have",
    "rights": "the first plan or apply with such a role: it names the permission that is missing",
}


class Fact(NamedTuple):
    """One thing that was true on a day: where it stands, from where it is, and what would notice its age."""

    date: date
    table: str
    name: str
    source: str
    noticed: str


def facts() -> Iterator[Fact]:
    """All facts of all tables."""
    titles = {
        key: each["title"] for key, each in json.loads((CATALOG / "sources.json").read_text("utf-8")).items()
    }
    for path in sorted(CATALOG.rglob("*.json")):
        table = path.relative_to(CATALOG).with_suffix("").as_posix()
        for name, entry in _entries(json.loads(path.read_text("utf-8")), ""):
            stated = entry["sources"][0]
            # An address says itself what it is.
            source = titles.get(stated.partition(" ")[0], stated)
            yield Fact(date.fromisoformat(entry["date"]), table, name or "all of it", source, _noticed(table))
    for pin in json.loads(PINS.read_text("utf-8")):
        name = f"{pin['name']} {pin['version']}"
        yield Fact(date.fromisoformat(pin["date"]), "tools/pins", name, pin["source"], pin["noticed_by"])


def _entries(value: Any, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The entries below a JSON value: the objects that state their sources."""
    if isinstance(value, dict):
        if "sources" in value:
            yield name, value
        for key, inner in value.items():
            yield from _entries(inner, f"{name}/{key}" if name else key)


def _noticed(table: str) -> str:
    return NOTICED[max((each for each in NOTICED if table.startswith(each)), key=len)]


def older(than: int, today: date) -> list[Fact]:
    """The facts that are older than so many days, the oldest first."""
    return sorted(each for each in facts() if (today - each.date).days > than)


# ---- what stands in the project


class Pin(NamedTuple):
    """A version of something outside that stands in a file."""

    name: str
    version: str
    file: str


_ANYWHERE = (
    re.compile(r"uses: ([\w./-]+)@[0-9a-f]{40} # (v[\w.]+)"),
    re.compile(r"\b(terraform_version|KIND|KWOK|[A-Z_]+_VERSION)\b[\"']?\s*[:=]\s*[\"']?(v?\d+\.\d[\w.]*)"),
    # The version of gcloud that the plug-in comes with.
    re.compile(r"(?=.*(gke-gcloud-auth-plugin))with: \{version: ([\d.]+)"),
    # Images by their registry or path; the first part of a range or a time is no path.
    re.compile(r"(?<![\w./-])((?:[a-z][a-z0-9.-]*/)+[a-z0-9._-]+):(v?\d+\.[\w.-]*)"),
    re.compile(r"(?:FROM|ARG \w+=)\s*([a-z0-9./_-]+):(\d[\w.-]*)@sha256"),
)
# `==` compares in programs, and pins in lists of packages.
_PACKAGES = re.compile(r"[\"' ]([A-Za-z][\w.-]*)(?:\[[\w,]+\])?==(\d[\w.]*)")
# The default of a field that is a version.
_DEFAULT = re.compile(r"\] = \"(\d+\.\d+\.\d+)\"")
_LOOKED_AT = (
    *("clusterprint", "stacks", "tools", "build_hooks", "simcloud/clusterprint_simcloud", "setup", ".github"),
    *(
        "action.yml",
        "Dockerfile",
        "blueprints/hpl/Dockerfile",
        "Makefile",
        "pyproject.toml",
        "simcloud/pyproject.toml",
        "core/pyproject.toml",
    ),
)
# Tables with dates of their own, what a tool writes, and text in which versions are examples.
_LEFT_OUT = re.compile(
    r"clusterprint/catalog/|requirements\.txt$|simcloud/clusterprint_simcloud/(?:facts|schema)/|tools/pins\.json$"
    r"|clusterprint/review/facts/|clusterprint/masking/"
)


def pins_found() -> Iterator[Pin]:
    """Every version of something outside that stands in a file of the project, outside the catalog."""
    listed = subprocess.run(
        ["git", "ls-files", *_LOOKED_AT], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if _LEFT_OUT.search(name) or not path.is_file():
            continue
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        yield from pins_in(name, text)


def pins_in(file: str, text: str) -> Iterator[Pin]:
    """The versions in one file."""
    found = [(each[1], each[2]) for pattern in _ANYWHERE for each in pattern.finditer(text)]
    if file.endswith((".toml", ".yaml", ".yml")):
        found += [(each[1], each[2]) for each in _PACKAGES.finditer(text)]
    if file.startswith("clusterprint/blueprint/"):
        found += [(Path(file).stem, each[1]) for each in _DEFAULT.finditer(text)]
    yield from (Pin(name, version, file) for name, version in found if "/my-project/" not in name)


def main() -> int:
    """Run the command; its exit code."""
    parser = argparse.ArgumentParser(description="List facts that are old.")
    parser.add_argument("--days", type=int, default=90, help="How old they may be (default: 90).")
    parser.add_argument("--today", type=date.fromisoformat, help="The day to count from (default: this day).")
    given = parser.parse_args()
    found = older(given.days, given.today or date.today())  # noqa: DTZ011 - a day is enough
    for each in found:
        print(f"{each.date}  {each.table}  {each.name}")
        print(f"            from {each.source}; noticed by: {each.noticed}")
    print(f"{len(found)} of {sum(1 for _ in facts())} facts are older than {given.days} days")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
