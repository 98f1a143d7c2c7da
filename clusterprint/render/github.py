"""Diagnostics as annotations of a GitHub workflow: shown on the lines of a pull request.

One workflow command per line, `::error file=...,line=...::message`.
"""

from collections.abc import Sequence

from clusterprint.diagnostic import Diagnostic, Label, Severity
from clusterprint.render.visible import visible

_STDIN = "-"
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(diagnostics: Sequence[Diagnostic]) -> str:
    """A workflow command for each diagnostic; empty for none."""
    return "\n".join(map(_command, diagnostics))


def _command(found: Diagnostic) -> str:
    properties = {**_place(found.place), "title": f"clusterprint {found.code}"}
    text = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    message = [visible(found.message)]
    message += [_also(label) for label in found.also]
    message += [f"help: {visible(found.help)}"] if found.help else []
    return f"::{_COMMANDS[found.severity]} {text}::{_data(chr(10).join(message))}"


def _place(label: Label) -> dict[str, str | int]:
    place: dict[str, str | int] = {} if label.file == _STDIN else {"file": visible(label.file)}
    span = label.span
    if span is None:
        return place
    place |= {"line": span.line, "endLine": span.end_line}
    if span.line == span.end_line:
        # GitHub refuses columns for more than one line.
        place |= {"col": span.column, "endColumn": span.end_column}
    return place


def _also(label: Label) -> str:
    where = (
        f"{visible(label.file)}:{label.span.line}:{label.span.column}" if label.span else visible(label.file)
    )
    return f"{where}: {visible(label.text)}" if label.text else where


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
