"""Hover texts, definitions, symbols and hints for a position."""

from collections.abc import Iterator
from typing import NamedTuple

from clusterprint.derived.machine_groups import groups_of
from clusterprint.describe import UnknownField, allowed, facts, field
from clusterprint.diagnostic import Span
from clusterprint.document import Document, Place
from clusterprint.editor.open_file import Opened, place_at
from clusterprint.editor.schema import path_of, schema_at
from clusterprint.editor.words import machine_facts
from clusterprint.overview.facts import in_words
from clusterprint.validate.wording import place as in_text


class Shown(NamedTuple):
    """Markdown about a stretch of the text."""

    markdown: str
    span: Span


class Symbol(NamedTuple):
    """A key, or an item with a name, and what is below it; `whole` is all of it, `own` its name."""

    name: str
    detail: str
    whole: Span
    own: Span
    below: tuple["Symbol", ...]


class Hint(NamedTuple):
    """A few words behind a line."""

    line: int
    column: int
    text: str


def hover(blueprint: Opened, line: int, column: int) -> Shown | None:
    """The documentation of the key at a position, and facts about a machine that is named."""
    document = blueprint.document
    found = place_at(document, line, column) if document else None
    if document is None or found is None or not blueprint.kind:
        return None
    place, on_key = found
    written = document.written[place]
    parts = []
    if not on_key and isinstance(value := _value(document, place), str):
        parts += ["  \n".join(machine_facts(value))]
    parts.append(_about(blueprint.kind, place))
    text = "\n\n---\n\n".join(filter(None, parts))
    return Shown(text, written.key if on_key else written.value) if text else None


def _value(document: Document, place: Place) -> object:
    value = document.data
    for step in place:
        value = value[step]
    return value


def _about(kind: str, place: Place) -> str:
    try:
        found = field(".".join((kind, *path_of(place))))
    except UnknownField:
        return ""
    lines = [f"**{in_text(place)}**", "", found.description, ""]
    lines += [f"- {title}: {text}" for title, text in facts(found)]
    lines += [f"- `{each.value}`: {each.description}" for each in allowed(found.schema)]
    return "\n".join(lines)


def definition(blueprint: Opened, line: int, column: int) -> Span | None:
    """Where the pool, group, class, bucket or volume stands that the value at a position names."""
    uses = named_at(blueprint, line, column)
    return uses.definition if uses else None


class Uses(NamedTuple):
    """A name of the blueprint: where its item has it, where others name it, and where it was asked for."""

    definition: Span
    references: tuple[Span, ...]
    here: Span


def named_at(blueprint: Opened, line: int, column: int) -> Uses | None:
    """The uses of the name at a position, which is that of an item or refers to one; None elsewhere."""
    document = blueprint.document
    found = place_at(document, line, column) if document else None
    if document is None or found is None or found[1] or not blueprint.kind:
        return None
    here, name = found[0], _value(document, found[0])
    referring = dict(_referring(document, blueprint.kind))
    lists = referring.get(here) or (".".join(path_of(here[:-2])),)
    items = {path: [place for each, place in blueprint.named(path) if each == name] for path in lists}
    path, place = next(((path, places[0]) for path, places in items.items() if places), ("", ()))
    if not place or (here not in referring and here != place):
        return None
    naming = [
        document.written[each].value
        for each, named in referring.items()
        if path in named and _value(document, each) == name
    ]
    return Uses(document.written[place].value, tuple(naming), document.written[here].value)


def _referring(document: Document, kind: str) -> Iterator[tuple[Place, tuple[str, ...]]]:
    """Each place of this file whose value names an item, with the lists that the item may be in."""
    for place, written in document.written.items():
        schema = None if written.file or not place else schema_at(kind, path_of(place))
        if schema and "refersTo" in schema and isinstance(_value(document, place), str):
            yield place, tuple(schema["refersTo"])


def symbols(blueprint: Opened) -> tuple[Symbol, ...]:
    """The keys of a blueprint, with the named items of lists."""
    document = blueprint.document
    return _symbols(document, (), document.data) if document else ()


def _symbols(document: Document, place: Place, value: object) -> tuple[Symbol, ...]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return tuple(
        each for key, below in inner if (each := _symbol(document, (*place, key), below)) is not None
    )


def _symbol(document: Document, place: Place, value: object) -> Symbol | None:
    written = document.written.get(place)
    if written is None or written.file:
        return None
    name = place[-1]
    if isinstance(name, int):
        if not isinstance(value, dict):
            return None
        name = str(value.get("name") or value.get("source") or f"[{name}]")
    start = min(written.key[:2], written.value[:2])
    end = max(written.key[2:], written.value[2:])
    # Of an alias, what is below it stands elsewhere.
    below = [
        each for each in _symbols(document, place, value) if start <= each.whole[:2] and each.whole[2:] <= end
    ]
    own = written.key if isinstance(place[-1], str) else Span(*start, *start)
    detail = "" if isinstance(value, dict | list) else str(value).partition("\n")[0][:60]
    return Symbol(name or "?", detail, Span(*start, *end), own, tuple(below))


def hints(blueprint: Opened) -> list[Hint]:
    """The resolved machines of each group, behind the line with its machine type."""
    checked = blueprint.validated
    if checked is None or checked.blueprint is None:
        return []
    found = []
    for group in groups_of(checked.blueprint):
        key = "size" if blueprint.kind == "vmss" else "machine_type"
        written = checked.document.written.get((*group.place, key))
        if written is None or written.file:
            continue
        line = written.value.end_line - 1
        found.append(Hint(line, len(blueprint.lines[line].rstrip()), in_words(group)))
    return found
