"""A problem found while loading, before the name of the file is known."""

from typing import NamedTuple

from clusterprint.diagnostic import Diagnostic, Label, Span
from clusterprint.explanation import Explanation
from clusterprint.masking import mask

_SHOWN = 40


class Problem(NamedTuple):
    """A syntax problem: the message, the place, and the help; `also` are other places in the same file."""

    topic: Explanation
    message: str
    span: Span | None = None
    help: str = ""
    also: tuple[tuple[Span, str], ...] = ()

    def diagnostic(self, file: str) -> Diagnostic:
        """The same for the user: in a file of that name."""
        return Diagnostic(
            self.topic.code,
            self.topic.severity,
            self.message,
            Label(file, self.span),
            tuple(Label(file, span, text) for span, text in self.also),
            self.help,
        )


class Refused(Exception):  # noqa: N818 - control flow inside this step, not an error of the program
    """Stops loading: nothing after this problem can be trusted."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def short(text: str) -> str:
    """The text, or its beginning when it is too long for a message; without secrets, also cut ones."""
    text = mask(text)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
