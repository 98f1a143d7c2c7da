"""A blueprint in an editor: its text, and all that is known about it."""

import re
from pathlib import Path
from typing import Any, NamedTuple

from clusterprint.blueprint import KINDS
from clusterprint.diagnostic import Diagnostic, Label, Span
from clusterprint.document import Document, Place
from clusterprint.files.inside import root_of
from clusterprint.find import IN_BRACKETS, has_heading
from clusterprint.load import load_text, with_defaults
from clusterprint.load.texts import LINE_END
from clusterprint.masking import masked
from clusterprint.validate import Validated, in_order, validate

_KIND = r"[\"']?kind[\"']?[ \t]*+:[ \t]*+[\"']?([a-z]++)"
_KIND_OF_LINE = re.compile(rf"(?:\A|[\r\n]){_KIND}")
_KIND_IN_BRACKETS = re.compile(rf"[\s,{{]{_KIND}")


class Opened(NamedTuple):
    """`validated` is of the text, or None while it cannot be read; `diagnostics` are as they are shown.

    `lines` are without what ends them, `starts` are their places in the text.
    """

    text: str
    lines: tuple[str, ...]
    starts: tuple[int, ...]
    kind: str
    validated: Validated | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def document(self) -> Document | None:
        """The text as data, None while it cannot be read."""
        return self.validated.document if self.validated else None

    def named(self, path: str) -> list[tuple[str, Place]]:
        """The names of the items of a list, such as `storage.volumes`, each with its place."""
        place = path.split(".")
        found: Any = self.document.data if self.document else None
        for step in place:
            found = found.get(step) if isinstance(found, dict) else None
        items = enumerate(found) if isinstance(found, list) else ()
        return [
            (each["name"], (*place, index, "name"))
            for index, each in items
            if isinstance(each, dict) and isinstance(each.get("name"), str)
        ]


def is_blueprint(text: str) -> bool:
    """Whether a YAML file says that it is a blueprint; an empty one may become one."""
    return not text.strip() or has_heading(text)


def opened(text: str, file: Path) -> Opened:
    """Look at a text as `validate` would at the file, without reading it."""
    alone = load_text(text.encode("utf-8", "surrogatepass"), str(file), file.parent)
    loaded, _ = with_defaults(alone, file, str(file), root_of(file))
    validated = validate(loaded.document) if loaded.document is not None else None
    found = [*loaded.diagnostics, *(validated.diagnostics if validated else ())]
    return Opened(
        text=text,
        lines=tuple(LINE_END.split(text)),
        starts=(0, *(each.end() for each in LINE_END.finditer(text))),
        kind=_kind(text),
        validated=validated,
        diagnostics=tuple(_here(each, str(file)) for each in masked(in_order(found))),
    )


def _here(found: Diagnostic, file: str) -> Diagnostic:
    """Diagnostics of a file of defaults appear at the top of the blueprint that it applies to."""
    place = found.place
    if place.file == file or place.span is None:
        return found
    message = f"{place.file}:{place.span.line}: {found.message}"
    return found._replace(message=message, place=Label(file, Span(1, 1, 1, 1)), instead=None)


def without_line(blueprint: Opened, line: int) -> Opened:
    """The same blueprint as if a line were empty, for what the rest of it says."""
    left = "\n".join("" if number == line else each for number, each in enumerate(blueprint.lines))
    document = load_text(left.encode("utf-8", "surrogatepass"), "-", Path()).document
    return blueprint._replace(validated=Validated(document, None, [])) if document else blueprint


def _kind(text: str) -> str:
    if IN_BRACKETS.match(text):  # where volumes have a kind, too
        return next((each[1] for each in _KIND_IN_BRACKETS.finditer(text) if each[1] in KINDS), "")
    found = _KIND_OF_LINE.search(text)
    return found[1] if found and found[1] in KINDS else ""


def is_in(span: Span, line: int, column: int) -> bool:
    """Whether a position is in a stretch of the text, its end included."""
    start, end = (span.line - 1, span.column - 1), (span.end_line - 1, span.end_column - 1)
    return start <= (line, column) <= end


def place_at(document: Document, line: int, column: int) -> tuple[Place, bool] | None:
    """The innermost place whose key or value is at a position, and whether it is the key."""
    best: tuple[Place, bool] | None = None
    for place, written in document.written.items():
        if not place or written.file:
            continue
        on_key = isinstance(place[-1], str) and is_in(written.key, line, column)
        if (on_key or is_in(written.value, line, column)) and (best is None or len(place) >= len(best[0])):
            best = place, on_key
    return best
