"""A file of another tool as plain data, which records what readers took from it."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import indent
from typing import Any

from clusterprint.document import Place
from clusterprint.importing.findings import Finding
from clusterprint.importing.work import Line
from clusterprint.load import load_text


class Word(str):
    """A word of a command line: text, or the number or switch that it reads as, by what it is given for."""

    __slots__ = ()

    def read_as(self, shape: type | tuple[type, ...]) -> "str | int | bool":
        """The number or switch that it says where one is wanted, else the text."""
        if shape is int and re.fullmatch(r"-?[0-9]{1,18}", self):
            return int(self)
        if shape is bool and self in ("true", "false"):
            return self == "true"
        return str(self)


class Source:
    """Plain data, the line of each place in it, and which places nobody has taken yet."""

    def __init__(self, file: str, data: Any, lines: dict[Place, int]) -> None:
        self.file = file
        self.data = data
        self._lines = lines
        self._taken: set[Place] = set()
        self._above: set[Place] = set()
        self._given: set[str | int] = set()

    def give(self, values: Mapping[str, Any]) -> None:
        """Take values from the command line in place of those of the file."""
        self.data |= values
        self._given |= {*values}

    def at(self, place: Place) -> Line:
        """Where a place stands, or the nearest one above it; what the command line gives is there."""
        if place and place[0] in self._given:
            return Line(0, f"--var {place[0]}")
        while place and place not in self._lines:
            place = place[:-1]
        return Line(self._lines.get(place, 0), self.file)

    def look(self, place: Place) -> Any:
        """The value at a place, None without one."""
        found = self.data
        for key in place:
            if isinstance(found, dict):
                found = found.get(key)
            elif isinstance(found, list) and isinstance(key, int) and key < len(found):
                found = found[key]
            else:
                return None
        return found

    def take(self, place: Place) -> Any:
        """The value at a place, marked as imported with all that is below."""
        self._taken.add(place)
        self._above.update(place[:length] for length in range(len(place)))
        return self.look(place)

    def left(self, place: Place = ()) -> Iterator[Place]:
        """The entries that nothing imported, as whole parts if possible; without those that are empty."""
        if not any(place[:length] in self._taken for length in range(len(place))):
            yield from self._left(place, self.look(place))

    def _left(self, place: Place, found: Any) -> Iterator[Place]:
        if place in self._taken or found is None or found in ({}, [], ""):
            return
        if place and place not in self._above:
            yield place
        elif isinstance(found, dict):
            for key, each in found.items():
                yield from self._left((*place, key), each)
        elif isinstance(found, list):
            for number, each in enumerate(found):
                yield from self._left((*place, number), each)


class Row:
    """A map inside of a source: what is asked of it is taken, and all else of it is left."""

    def __init__(self, source: Source, place: Place) -> None:
        self._source = source
        self.place = place

    def __bool__(self) -> bool:
        return bool(map_in(self._source.look(self.place)))

    def at(self, key: str | int = "") -> Line:
        """Where a key stands, or the whole map."""
        return self._source.at((*self.place, key) if key != "" else self.place)

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, else the default."""
        found = self._source.take((*self.place, key)) if isinstance(self._here(), dict) else None
        return default if found in (None, "") else found

    def row(self, key: str) -> "Row":
        """The map that a key is."""
        return Row(self._source, (*self.place, key))

    def rows(self, key: str) -> "list[Row]":
        """The maps that a key lists."""
        return rows_in(self._source, (*self.place, key))

    def _here(self) -> Any:
        return self._source.look(self.place)


def rows_in(source: Source, place: Place) -> list[Row]:
    """The maps of the list at a place; what is no map in it is left."""
    found = source.look(place)
    listed = enumerate(found) if isinstance(found, list) else ()
    return [Row(source, (*place, number)) for number, each in listed if isinstance(each, dict)]


def map_in(value: Any) -> dict[str, Any]:
    """A map, an empty one where it is none."""
    return value if isinstance(value, dict) else {}


def maps_in(value: Any) -> list[dict[str, Any]]:
    """The maps of a list; none where it is no list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def from_yaml(file: str, text: str) -> tuple[Source, list[Finding]]:
    """A file of YAML, and what is wrong with it, by the rules for blueprints."""
    loaded = load_text(text.encode(), file, Path(file).parent, foreign=True)
    findings = []
    for each in loaded.diagnostics:
        span = each.place.span
        findings.append(Finding(span.line if span else 0, "error", each.message, each.help, file))
    if loaded.document is None:
        return Source(file, {}, {}), findings
    lines = {place: written.key.line for place, written in loaded.document.written.items()}
    return Source(file, loaded.document.data, lines), findings


def yaml_value(text: str) -> Any:
    """A text as YAML 1.2 reads it. Raises ValueError."""
    source, findings = from_yaml("", f"value:\n{indent(text, '  ')}\n")
    if findings:
        raise ValueError(findings[0].message)
    return source.data["value"]


def shell_value(text: str) -> Any:
    """A text as the value of an assignment in a shell: a word, or words in parentheses. Raises ValueError."""
    if text.startswith("(") and text.endswith(")"):
        return shlex.split(text[1:-1])
    return Word(text)
