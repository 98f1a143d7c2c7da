"""Diagnostics of an imported blueprint, each at its line of the input."""

import re
from collections.abc import Sequence
from pathlib import Path

from clusterprint.diagnostic import Diagnostic, Severity
from clusterprint.files.inside import root_of
from clusterprint.importing.findings import Finding
from clusterprint.importing.work import Line, Origin, Translated
from clusterprint.load import load_text, with_defaults
from clusterprint.validate import validate

# What files that are handed on have where everybody writes something else: PROJECT_ID, <your-address>.
_PLACEHOLDER = re.compile(r"'(?:[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)+|[^']*<[^'<>]+>[^']*)' is not ")


def check(text: str, target: Path, translated: Translated) -> list[Finding]:
    """All problems of the blueprint but notes, together with the defaults that will be laid under it."""
    alone = load_text(text.encode(), str(target), target.parent)
    loaded, _ = with_defaults(alone, target, str(target), root_of(target))
    if loaded.document is None:
        return [_finding(each, Line(0)) for each in loaded.diagnostics]
    own = {keys: written for keys, written in loaded.document.written.items() if not written.file}
    places = {written.value.line: keys for keys, written in own.items()}
    found = []
    for each in (*loaded.diagnostics, *validate(loaded.document).diagnostics):
        if each.severity is Severity.NOTE:
            continue
        line = each.place.span.line if each.place.span else 0
        if each.place.file == loaded.document.file:
            found.append(_finding(each, _origin(places.get(line, ()), translated)))
        else:
            where = f"{each.place.file}:{line}: {each.message}"
            found.append(_finding(each._replace(message=where), Line(0)))
    return found


def _origin(keys: Sequence[str | int], translated: Translated) -> Origin:
    """The line of the input that said something: at these keys, above them, or below."""
    for length in range(len(keys), 0, -1):
        if found := translated.origins.get(tuple(keys[:length])):
            return found
    below = [each for place, each in translated.origins.items() if place[: len(keys)] == tuple(keys)]
    return min(below, key=lambda each: each.line, default=Line(0)) if keys else Line(0)


def _finding(each: Diagnostic, origin: Origin) -> Finding:
    severity = "error" if each.severity is Severity.ERROR else "warning"
    help_text = "this is a placeholder: write your own" if _PLACEHOLDER.search(each.message) else each.help
    return Finding(origin.line, severity, f"{each.message} ({each.code})", help_text, origin.file)  # type: ignore[arg-type]
