"""A problem of a blueprint, as a value: code, severity, message, places, help.

`load`, `validate` and the rules make diagnostics, `render` reads them. Exceptions are for everything else
(`errors`). A crash of one rule is also a diagnostic, with exit code 3; the other rules still run. This module
imports nothing of ours, so every step can use it.
"""

import enum
from typing import NamedTuple


class Severity(enum.Enum):
    """How bad it is.

    An error will not build or not work; a warning works but is likely not meant; a note is advice, which
    is right for some and no problem for anybody: it never makes a run fail.
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Span(NamedTuple):
    """A stretch of a file: lines and columns count from 1, columns in characters, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Label(NamedTuple):
    """A place in a file, with a few words that say what is there.

    `file` is the name to show (`-` for standard input). `span` is None when the file as a whole
    is meant, or could not be read.
    """

    file: str
    span: Span | None = None
    text: str = ""


class Diagnostic(NamedTuple):
    """One problem.

    `place` is where it is, `also` the other places that take part in it, `help` what to do about it.
    `instead` is what to write in its place, where only one thing can be meant; an empty text removes it. It
    takes the place of `over`, if that is given, and `removes` is the key that goes with it.
    """

    code: str
    severity: Severity
    message: str
    place: Label
    also: tuple[Label, ...] = ()
    help: str = ""
    instead: str | None = None
    over: Span | None = None
    removes: str = ""

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """Sort key: in the order of the file, then by code."""
        span = self.place.span
        line, column = (span.line, span.column) if span else (0, 0)
        return (self.place.file, line, column, self.code, self.message)
