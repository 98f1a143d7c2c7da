"""Keys that the schema does not have: which one was meant, or where they belong."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache

from clusterprint.blueprint import KINDS
from clusterprint.document import NOTES, Document, Place
from clusterprint.validate import synonyms, wording
from clusterprint.validate.schemas import schema_of
from clusterprint.validate.validator import Schema
from clusterprint.validate.variants import properties
from clusterprint.words import did_you_mean
from clusterprint.words.letters import find_odd, make_plain

# What people call the place that they keep anchors in.
_HOLDERS = frozenset(("defaults", "anchors", "aliases", "common", "templates", "definitions", "extends"))
_ANCHOR = re.compile(r"(?:^|[\s\[{,])&[A-Za-z_]")


def is_known(key: str, schema: Schema) -> bool:
    """Whether a map of this schema has the key."""
    return key in schema["properties"] or any(
        re.search(each, key) for each in schema.get("patternProperties", ())
    )


def meant_key(key: str, present: Collection[str], schema: Schema) -> str:
    """The key that was most likely meant, of those that are not there already; empty if none is near."""
    if inner := synonyms.inner_for(key, schema["properties"]):
        return inner.partition(":")[0]
    free = [each for each in schema["properties"] if each not in present]
    return wording.closest(make_plain(key), free) or synonyms.key_for(key, free)


def only(key: str, meant: str, schema: Schema) -> str | None:
    """The key to write in place of one, where nothing else has to change; None if that is not clear."""
    if synonyms.inner_for(key, schema["properties"]):
        return None
    # Another word for it may take other values.
    return meant if meant and wording.closest(make_plain(key), [meant]) else None


def help_for(document: Document, at: Place, meant: str, schema: Schema, kind: str) -> str:
    """The help for an unknown key in a map of this schema; `meant` is the likely key."""
    key = str(at[-1])
    if odd := find_odd(key):
        return odd.help_text
    if why := synonyms.why_not_built(key):
        return why
    if inner := synonyms.inner_for(key, schema["properties"]):
        return f"write {inner}"
    if meant:
        return did_you_mean(repr(meant))
    if synonyms.means_gpus(key) and schema["properties"].keys() & {"machine_type", "size"}:
        return "the number and type of GPUs follow from the machine: `clusterprint machines` lists them"
    return _anchors(document, at) or _elsewhere(at, kind) or f"known keys: {', '.join(schema['properties'])}"


def _anchors(document: Document, at: Place) -> str:
    """The message about a key that only holds anchors."""
    key = str(at[-1])
    if len(at) > 1:
        is_note = key.startswith(NOTES)
        return "a key that holds anchors belongs at the top level of the blueprint" if is_note else ""
    if _holds_anchors(document, key):
        return f"a key that only holds anchors begins with `{NOTES}`: write `{NOTES}{key.strip('._')}`"
    return ""


def _elsewhere(at: Place, kind: str) -> str:
    """Where a key belongs, in this kind of blueprint or in another."""
    key = str(at[-1])
    homes = sorted((home for home in _homes(kind).get(key, ()) if _is_near(home, at[:-1])), key=len)
    kinds = [] if at[:-1] else [each for each in KINDS if key in schema_of(each)["properties"]]
    if homes and (len(homes[0]) == 1 or not kinds):
        return f"it belongs in {wording.place(homes[0])}"
    return f"it is a key of kind {' and '.join(kinds)}, and this is another" if kinds else ""


def _is_near(home: Place, place: Place) -> bool:
    """Whether a key that stands at a place may belong in this home: around it, or in the same part.

    Keys of one name mean different things in other parts (`filestore` of add-ons is no storage).
    """
    return not home or not place or home[0] == place[0]


def _holds_anchors(document: Document, key: str) -> bool:
    """Whether a top-level key is there for the anchors in it."""
    written = document.written[key,]
    lines = _lines(document.text)[written.key.line - 1 : written.value.end_line]
    return key.strip("._").lower() in _HOLDERS or any(_ANCHOR.search(line) for line in lines)


@lru_cache(maxsize=1)
def _lines(text: str) -> list[str]:
    """The lines of a file, for all of its unknown keys."""
    return text.splitlines()


@cache
def _homes(kind: str) -> Mapping[str, Sequence[Place]]:
    """The places of a kind's schema that have a key, by its name; a schema is walked once for all keys."""
    homes: dict[str, list[Place]] = {}
    for name, at in _keys(schema_of(kind), ()):
        homes.setdefault(name, []).append(at)
    return homes


def _keys(schema: Schema, at: Place) -> Iterator[tuple[str, Place]]:
    for name, each in properties(schema).items():
        yield name, at
        yield from _keys(each.get("items", each), (*at, name))
