"""Mistakes with quotes, and inside of them."""

import re

from clusterprint.diagnostic import Span
from clusterprint.load.codes import SYNTAX, UNCLOSED_QUOTE
from clusterprint.load.problem import Problem
from clusterprint.load.syntax.mistake import Mistake
from clusterprint.words.letters import DOUBLE_QUOTES, SINGLE_QUOTES, Odd


def unclosed(mistake: Mistake) -> Problem | None:
    """A quote that is not closed, or closed in a place that was not meant."""
    if mistake.context == "while scanning a quoted scalar" and mistake.context_mark is not None:
        start = mistake.context_mark
        return _closed_by_another(mistake, start.line, start.column) or _never_closed(mistake)
    quoted = mistake.events.quoted
    if (
        quoted is None
        or mistake.mark.line + 1 != quoted.end_line
        or mistake.mark.column + 1 < quoted.end_column
    ):
        return None
    return _closed_by_another(mistake, quoted.line - 1, quoted.column - 1) or _closed_late(mistake, quoted)


def _never_closed(mistake: Mistake) -> Problem:
    start = mistake.context_mark or mistake.mark
    quote = mistake.events.text[start.index]
    until = "the end of the file" if "end of stream" in mistake.problem else "a new document"
    message = f"this `{quote}` is not closed before {until}"
    span = mistake.span(start.line, start.column)
    return Problem(UNCLOSED_QUOTE, message, span, f"write a closing `{quote}`")


def _closed_late(mistake: Mistake, quoted: Span) -> Problem | None:
    if quoted.line < quoted.end_line:
        quote = mistake.lines[quoted.line - 1][quoted.column - 1]
        return Problem(
            UNCLOSED_QUOTE,
            f"this `{quote}` is closed only on line {quoted.end_line}; one is missing between",
            mistake.span(quoted.line - 1, quoted.column - 1),
            f"write a closing `{quote}` where the text ends",
            ((mistake.span(quoted.end_line - 1, quoted.end_column - 2), "closed here"),),
        )
    if mistake.line[quoted.end_column - 1 : mistake.mark.column].strip():
        return None
    return _after_quote(mistake, quoted)


def _closed_by_another(mistake: Mistake, line: int, start: int) -> Problem | None:
    """A quote that only looks like the one that would close the text, on its line."""
    quote = mistake.lines[line][start]
    typographic = DOUBLE_QUOTES if quote == '"' else SINGLE_QUOTES
    for column, character in enumerate(mistake.lines[line]):
        if column > start and character in typographic:
            odd = Odd(column + 1, character, quote)
            return Problem(
                UNCLOSED_QUOTE,
                f"{odd.described} does not close a text that begins with `{quote}`",
                mistake.span(line, column),
                f"write a plain `{quote}`",
                ((mistake.span(line, start), "begins here"),),
            )
    return None


def _after_quote(mistake: Mistake, quoted: Span) -> Problem | None:
    quote = mistake.lines[quoted.line - 1][quoted.column - 1]
    following = mistake.line[quoted.end_column - 1 : quoted.end_column]
    if following.isalnum():
        doubled = "write a quote inside single quotes twice: ''"
        help_text = doubled if quote == "'" else 'write \\" for a quote inside the text'
    elif mistake.events.open_bracket() is not None or mistake.mark.index >= len(mistake.events.text):
        return None
    else:
        help_text = "put the whole text in quotes"
    message = f"the text is closed by `{quote}`, and then goes on"
    return Problem(UNCLOSED_QUOTE, message, mistake.here, help_text)


def unknown_escape(mistake: Mistake) -> Problem | None:
    """A backslash in double quotes that means nothing."""
    before = mistake.line[: mistake.mark.column]
    beyond_unicode = mistake.problem.startswith("unreadable") and before.endswith(("\\u", "\\U"))
    if mistake.context != "while scanning a double-quoted scalar" and not beyond_unicode:
        return None
    start = max(before.rfind("\\"), 0)
    written = re.match(r"\\.?\w*", mistake.line[start:])
    text = written.group()[:10] if written else "\\"
    if "unknown escape" in mistake.problem:
        text = text[:2]
    span = mistake.span(mistake.mark.line, start, len(text))
    return Problem(
        SYNTAX,
        f"`{text}` is not an escape sequence in double quotes",
        span,
        "write `\\\\`, or use single quotes",
    )
