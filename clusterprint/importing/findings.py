"""Findings about lines of an imported file."""

from typing import Literal, NamedTuple

#: A loss is an input without a counterpart: an error for `import`, unless it was asked to go without.
Severity = Literal["error", "loss", "warning"]


class Finding(NamedTuple):
    """A mistake, or something that the blueprint leaves out; `line` is 0 for what is not there at all.

    `file` is empty where there is only one.
    """

    line: int
    severity: Severity
    message: str
    help: str = ""
    file: str = ""
