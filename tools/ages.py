"""Facts that age: all that is pinned or written down from outside, with source, date and what would notice.

    python tools/ages.py                                 what is older than 90 days; exit code 1 if anything
    python tools/ages.py --days 0                        everything
    python tools/ages.py --today 2027-01-31 --days 60    as of another day
    python tools/ages.py --online --clones FOLDER        what is newer now; exit code 1 if anything
    python tools/ages.py --repositories                  the repositories to clone into FOLDER/OWNER/NAME

The tables are clusterprint/catalog/, whose entries have source and date, and tools/pins.json, which has every
other version that stands in the project. A test finds versions that stand in neither. Where a newer version
would be is said by `upstream` of a pin, and by `repository`, `module`, `releases` and `page` of a source in
sources.json: a fact names a source and a file in it. With --online, registries and clones are asked
(newest.py), and --write writes the tag of each image into the catalog that the file it comes from has now.
Charts are only listed: somebody has to read whether their values and definitions still fit.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import newest as upstream

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


# ---- what there is now


class Newer(NamedTuple):
    """A fact that has a newer version, or whose file has changed since the fact was read from it.

    `seen` is the version or the commit there is now, `since` its day, empty where nobody says it.
    """

    fact: str
    ours: str
    seen: str
    since: str
    place: str
    written: bool = False


class Asked(NamedTuple):
    """The newer facts, and how many facts got an answer."""

    newer: list[Newer]
    answered: int


def sources() -> dict[str, dict[str, Any]]:
    """The sources of facts by their keys."""
    found: dict[str, dict[str, Any]] = json.loads((CATALOG / "sources.json").read_text("utf-8"))
    return found


def repositories() -> list[str]:
    """Every repository that a fact or a pin comes from, as OWNER/NAME."""
    pins = json.loads(PINS.read_text("utf-8"))
    return sorted(
        {each["repository"] for each in sources().values() if "repository" in each}
        | {each["upstream"]["github"] for each in pins if "github" in each.get("upstream", {})}
    )


def online(clones: Path | None) -> Asked:
    """Ask for everything that has a place to ask."""
    rows = [*_pins_now(clones), *_components_now(clones)]
    named = {each.fact for each in rows}
    # The version of a component says more than that its file has changed.
    rows += [each for each in (_files_now(clones) if clones else ()) if each.fact not in named]
    return Asked([each for each in rows if each.seen != each.ours], len(rows))


def _pins_now(clones: Path | None) -> Iterator[Newer]:
    for pin in json.loads(PINS.read_text("utf-8")):
        found = upstream.newest(pin.get("upstream", {}), clones)
        if found:
            yield _compared(f"tools/pins  {pin['name']}", pin["version"], found)


def _components_now(clones: Path | None) -> Iterator[Newer]:
    known = sources()
    for name, entry in json.loads((CATALOG / "kubernetes/components.json").read_text("utf-8")).items():
        if "version" not in entry:
            continue
        for stated in entry["sources"]:
            key, _, file = stated.partition(" ")
            found = _component_now(
                known.get(key, {}), file, entry["location"], clones, brings_kinds="crds" in entry
            )
            if found:
                fact = f"kubernetes/components  {name}"
                yield _compared(fact, entry["version"], found, written=not known[key].get("releases"))
                break


def _component_now(
    source: dict[str, Any], file: str, location: str, clones: Path | None, *, brings_kinds: bool
) -> upstream.Newest | None:
    repository = source.get("repository", "")
    tag = clones and repository and file and upstream.tag_in_file(clones, repository, file, location)
    if clones and tag:
        change = upstream.last_change(clones, repository, file)
        return upstream.Newest(tag, change.day if change else "", f"{repository} {file}")
    if source.get("releases") and brings_kinds:
        asked = {"github": repository, "tags": source["releases"], "go": source.get("module", "")}
        return upstream.newest(asked, clones)
    return None


def _compared(fact: str, ours: str, found: upstream.Newest, *, written: bool = False) -> Newer:
    newer = upstream.numbers(found.version) > upstream.numbers(ours) or (
        written and upstream.numbers(found.version) != upstream.numbers(ours)
    )
    return Newer(fact, ours, found.version if newer else ours, found.since, found.place, written)


def _files_now(clones: Path) -> Iterator[Newer]:
    """The facts whose files have changed since the day of the fact."""
    known = sources()
    for path in sorted(CATALOG.rglob("*.json")):
        table = path.relative_to(CATALOG).with_suffix("").as_posix()
        for name, entry in _entries(json.loads(path.read_text("utf-8")), ""):
            for stated in entry["sources"]:
                key, _, file = stated.partition(" ")
                repository = known.get(key, {}).get("repository")
                change = repository and file and upstream.last_change(clones, repository, file)
                if change:
                    seen = change.revision if change.day > entry["date"] else entry["date"]
                    fact = f"{table}  {name or 'all of it'}"
                    yield Newer(fact, entry["date"], seen, change.day, f"{repository} {file}")


def write(newer: Iterable[Newer], today: date) -> list[str]:
    """Write the tags of images into the catalog; the names of the components that changed."""
    path = CATALOG / "kubernetes/components.json"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    changed = []
    for each in newer:
        name = each.fact.rpartition("  ")[2]
        if not each.written:
            continue
        at = next(index for index, line in enumerate(lines) if line.lstrip().startswith(f'"{name}": '))
        line = lines[at].replace(f'"version": "{each.ours}"', f'"version": "{each.seen}"')
        lines[at] = re.sub(r'"date": "[-0-9]+"', f'"date": "{today}"', line)
        changed.append(name)
    path.write_text("".join(lines), "utf-8")
    return changed


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
# The default of a field that is a version: of the provider that its description names, or of its file.
_DEFAULT = re.compile(r"(?:Terraform provider (\w+):[^]]*)?\] = \"(\d+\.\d+\.\d+)\"")
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
        found += [(each[1] or Path(file).stem, each[2]) for each in _DEFAULT.finditer(text)]
    yield from (Pin(name, version, file) for name, version in found if "/my-project/" not in name)


def main() -> int:
    """Run the command; its exit code."""
    parser = argparse.ArgumentParser(description="List facts that are old.")
    parser.add_argument("--days", type=int, default=90, help="How old they may be (default: 90).")
    parser.add_argument("--today", type=date.fromisoformat, help="The day to count from (default: this day).")
    parser.add_argument("--online", action="store_true", help="Ask registries and clones what is newer.")
    parser.add_argument("--clones", type=Path, help="Folder of clones, OWNER/NAME each, to ask, too.")
    parser.add_argument("--write", action="store_true", help="With --online: write newer tags of images.")
    parser.add_argument("--repositories", action="store_true", help="Print what to clone.")
    given = parser.parse_args()
    if given.repositories:
        print(*repositories(), sep="\n")
        return 0
    if given.online:
        return _print_newer(online(given.clones), given)
    found = older(given.days, given.today or date.today())  # noqa: DTZ011 - a day is enough
    for each in found:
        print(f"{each.date}  {each.table}  {each.name}")
        print(f"            from {each.source}; noticed by: {each.noticed}")
    print(f"{len(found)} of {sum(1 for _ in facts())} facts are older than {given.days} days")
    return 1 if found else 0


def _print_newer(asked: Asked, given: argparse.Namespace) -> int:
    for each in asked.newer:
        print(f"{each.fact}: {each.ours} -> {each.seen}, {each.since or 'day unknown'}")
        print(f"            from {each.place}")
    print(f"{len(asked.newer)} of {asked.answered} facts that could be asked for are newer")
    if given.write:
        changed = write(asked.newer, given.today or date.today())  # noqa: DTZ011 - a day is enough
        print(f"written: {', '.join(changed) or 'nothing'}")
    return 1 if asked.newer else 0


if __name__ == "__main__":
    sys.exit(main())
