"""What `validate` says of an imported blueprint, each at the line of the input that it is from."""

from collections.abc import Sequence
from pathlib import Path

from clusterprint.diagnostic import Diagnostic, Severity
from clusterprint.importing.findings import Finding
from clusterprint.importing.work import Line, Origin, Translated
from clusterprint.load import load_text
from clusterprint.validate import validate


def check(text: str, target: Path, translated: Translated) -> list[Finding]:
    """All problems of the blueprint but notes."""
    loaded = load_text(text.encode(), str(target), target.parent)
    if loaded.document is None:
        return [_finding(each, Line(0)) for each in loaded.diagnostics]
    places = {written.value.line: keys for keys, written in loaded.document.written.items()}
    found = []
    for each in validate(loaded.document).diagnostics:
        if each.severity is not Severity.NOTE:
            keys = places.get(each.place.span.line if each.place.span else 0, ())
            found.append(_finding(each, _origin(keys, translated)))
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
    return Finding(origin.line, severity, f"{each.message} ({each.code})", each.help, origin.file)  # type: ignore[arg-type]
