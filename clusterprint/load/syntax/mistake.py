"""A place where ruamel stopped, and the file around it."""

import re
from typing import NamedTuple

from clusterprint.diagnostic import Span
from clusterprint.load.events import Events, Mark

QUOTE_HELP = "put quotes around the text"


class Mistake(NamedTuple):
    """The mistake that ruamel reported, and the file around it. Lines and columns of marks count from 0."""

    problem: str
    context: str
    mark: Mark
    context_mark: Mark | None
    events: Events
    lines: list[str]

    @property
    def line(self) -> str:
        """The line on which ruamel stopped."""
        return self.lines[self.mark.line] if self.mark.line < len(self.lines) else ""

    def span(self, line: int, column: int, length: int = 1) -> Span:
        """A stretch of one line, both counted from 0."""
        return Span(line + 1, column + 1, line + 1, column + 1 + max(length, 1))

    @property
    def here(self) -> Span:
        """The word on which ruamel stopped."""
        word = re.match(r"[\w./-]*", self.line[self.mark.column :])
        return self.span(self.mark.line, self.mark.column, len(word.group()) if word else 1)
