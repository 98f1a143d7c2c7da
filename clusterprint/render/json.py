"""Diagnostics for scripts, as JSON whose keys do not change within a major version."""

import json
from collections.abc import Sequence
from typing import Any

from clusterprint.diagnostic import Diagnostic, Label, Severity


def render(diagnostics: Sequence[Diagnostic], *, files: int) -> str:
    """All diagnostics and a summary; `files` is how many blueprints were checked.

    Lines and columns count from 1, columns in characters, ends are exclusive. They are null when a file
    as a whole is meant. `help` is empty when there is none.
    """
    counts = {f"{each.value}s": sum(found.severity is each for found in diagnostics) for each in Severity}
    report = {
        "diagnostics": [_diagnostic(found) for found in diagnostics],
        "summary": {"files": files, **counts},
    }
    # Everything that is not ASCII is escaped, so nothing in a blueprint can act on a terminal.
    return json.dumps(report, indent=2)


def _diagnostic(found: Diagnostic) -> dict[str, Any]:
    return {
        **_place(found.place),
        "severity": found.severity.value,
        "code": found.code,
        "message": found.message,
        "help": found.help,
        "also": [{**_place(label), "text": label.text} for label in found.also],
    }


def _place(label: Label) -> dict[str, Any]:
    line, column, end_line, end_column = label.span or (None, None, None, None)
    return {
        "file": label.file,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }
