"""A file of another tool as plain data, that keeps account of what was made use of."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clusterprint.document import Place
from clusterprint.importing.findings import Finding
from clusterprint.importing.work import Line
from clusterprint.load import load_text


class Source:
    """Plain data, the line of each place in it, and which places nobody has taken yet."""

    def __init__(self, file: str, data: Any, lines: dict[Place, int]) -> None:
        self.file = file
        self.data = data
        self._lines = lines
        self._taken: set[Place] = set()

    def at(self, place: Place) -> Line:
        """Where a place stands, or the nearest one above it."""
        while place and place not in self._lines:
            place = place[:-1]
        return Line(self._lines.get(place, 0), self.file)

    def look(self, place: Place) -> Any:
        """What stands at a place, None where nothing does."""
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
        """What stands at a place; it has a counterpart from now on, with all that is below."""
        self._taken.add(place)
        return self.look(place)

    def left(self, place: Place = ()) -> Iterator[Place]:
        """What nobody took: whole parts where nothing in them was taken. What has no value says nothing."""
        found = self.look(place)
        taken = any(place[:length] in self._taken for length in range(len(place) + 1))
        if taken or found is None or found in ({}, []):
            return
        inside = any(each[: len(place)] == place for each in self._taken)
        if place and not inside:
            yield place
        elif isinstance(found, dict):
            for key in found:
                yield from self.left((*place, key))
        elif isinstance(found, list):
            for number in range(len(found)):
                yield from self.left((*place, number))


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
