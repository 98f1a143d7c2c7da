"""What is said about a line of an env file."""

from typing import Literal, NamedTuple


class Finding(NamedTuple):
    """A mistake, or something that the blueprint leaves out; `line` is 0 for what is not there at all."""

    line: int
    severity: Literal["error", "warning"]
    message: str
    help: str = ""
