"""Texts without quotes that begin with a sign of YAML's own."""

import re

from clusterprint.load.codes import INDENTATION, SYNTAX, TAG
from clusterprint.load.problem import Problem, short
from clusterprint.load.syntax.mistake import QUOTE_HELP, Mistake


def first_character(mistake: Mistake) -> Problem | None:
    """A sign that no text without quotes can begin with."""
    found = re.match(r"found character '(.+)' that cannot start any token", mistake.problem)
    if found is None:
        return None
    span = mistake.span(mistake.mark.line, mistake.mark.column)
    return Problem(SYNTAX, f"a text without quotes cannot begin with `{found[1]}`", span, QUOTE_HELP)


def star(mistake: Mistake) -> Problem | None:
    """A `*` or `&` that is not followed by a name."""
    if mistake.context not in ("while scanning an alias", "while scanning an anchor"):
        return None
    start = mistake.context_mark or mistake.mark
    sign, what = ("*", "alias") if mistake.context.endswith("alias") else ("&", "anchor")
    message = f"`{sign}` begins the name of an {what}, and no name follows"
    return Problem(SYNTAX, message, mistake.span(start.line, start.column), QUOTE_HELP)


def block_text(mistake: Mistake) -> Problem | None:
    """A `|` or `>` that is not followed by lines of text."""
    if mistake.problem.startswith("more indented follow up line"):
        message = "the blank line at the start of this text is indented further than the text"
        return Problem(INDENTATION, message, mistake.here, "remove the spaces on the blank line")
    if mistake.context != "while scanning a block scalar" or mistake.context_mark is None:
        return None
    start = mistake.context_mark
    sign = mistake.events.text[start.index]
    message = f"`{sign}` begins a text on the lines below, and something follows it here"
    return Problem(
        SYNTAX, message, mistake.span(start.line, start.column), f"start a new line, or {QUOTE_HELP}"
    )


def tag(mistake: Mistake) -> Problem | None:
    """A tag that cannot even be read."""
    if "tag" not in mistake.problem and not re.search(r"\btag\b", mistake.context):
        return None
    start = mistake.context_mark or mistake.mark
    written = re.match(r"\S+", mistake.lines[start.line][start.column :])
    text = written.group() if written else "!"
    span = mistake.span(start.line, start.column, len(text))
    message = f"`{short(text)}` is a tag, and blueprints do not use tags"
    return Problem(TAG, message, span, "remove it, or put quotes around a text that begins with `!`")
