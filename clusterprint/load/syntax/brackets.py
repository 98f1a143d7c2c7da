"""Mistakes with `[` and `{`."""

import re

from clusterprint.load.codes import SYNTAX, UNCLOSED_BRACKET
from clusterprint.load.events import Mark
from clusterprint.load.problem import Problem
from clusterprint.load.syntax.mistake import Mistake

_CLOSING = {"[": "]", "{": "}"}
_BLOCK_KEY = re.compile(r"[ ]*(?:- +)?[\w.-]+:(?:\s|$)")


def mismatched(mistake: Mistake) -> Problem | None:
    """A bracket that is not closed, not opened, or closed by another; a missing comma or value in one."""
    character = mistake.line[mistake.mark.column : mistake.mark.column + 1]
    opened = mistake.events.open_bracket()
    if opened is None:
        return _never_opened(mistake, character)
    bracket = mistake.events.text[opened.index]
    closing = _CLOSING[bracket]
    here = mistake.span(mistake.mark.line, mistake.mark.column)
    if mistake.mark.index >= len(mistake.events.text) or _reaches_into_block(mistake, opened):
        message = f"this `{bracket}` is not closed"
        span = mistake.span(opened.line, opened.column)
        return Problem(
            UNCLOSED_BRACKET, message, span, f"write a closing `{closing}` where the {_what(bracket)} ends"
        )
    also = ((mistake.span(opened.line, opened.column), "opened here"),)
    if character in ("]", "}") and character != closing:
        message = f"`{character}` cannot close what `{bracket}` opened"
        return Problem(UNCLOSED_BRACKET, message, here, f"write `{closing}`", also)
    if "but got" in mistake.problem:
        message = f"a comma is missing between two parts of this {_what(bracket)}"
        return Problem(SYNTAX, message, mistake.here, "write a comma, or put quotes around the text", also)
    if "expected the node content" in mistake.problem:
        message = f"there is no value before this `{character}`"
        return Problem(SYNTAX, message, here, "write a value, or remove a comma", also)
    return None


def _what(bracket: str) -> str:
    return "list" if bracket == "[" else "map"


def _never_opened(mistake: Mistake, character: str) -> Problem | None:
    if character not in ("]", "}", ",") or not mistake.problem.startswith("expected"):
        return None
    message = (
        f"there is no bracket for this `{character}`"
        if character != ","
        else "a value cannot begin with a comma"
    )
    help_text = "remove it, or put quotes around the text"
    span = mistake.span(mistake.mark.line, mistake.mark.column)
    return Problem(UNCLOSED_BRACKET if character != "," else SYNTAX, message, span, help_text)


def _reaches_into_block(mistake: Mistake, opened: Mark) -> bool:
    """Whether lines after the open bracket look like keys outside of it."""
    line = mistake.lines[opened.line]
    margin = len(line) - len(line.lstrip(" -"))
    for text in mistake.lines[opened.line + 1 : mistake.mark.line + 1]:
        indent = len(text) - len(text.lstrip(" -"))
        if _BLOCK_KEY.match(text) and indent <= margin:
            return True
    return False
