"""Mistakes with tabs, indentation, colons and dashes: with what belongs to what."""

import re

from clusterprint.load.codes import INDENTATION, SYNTAX, TAB
from clusterprint.load.problem import Problem, short
from clusterprint.load.syntax.mistake import QUOTE_HELP, Mistake
from clusterprint.masking import mask
from clusterprint.words.letters import find_odd

_KEY = re.compile(r"""[ ]*(?:-[ ]+)*("[^"]*"|'[^']*'|[^\s#'"\[\]{},&*!|>%@`][^#:]*?)[ ]*:(?=\s|$)""")
_LONGEST_KEY = 1024


def tab(mistake: Mistake) -> Problem | None:
    """A tab before the first word of a line."""
    if mistake.problem != "a tab indents":
        return None
    tabs = re.match(r"\t+", mistake.line[mistake.mark.column :])
    span = mistake.span(mistake.mark.line, mistake.mark.column, len(tabs.group()) if tabs else 1)
    return Problem(
        TAB, "a tab indents this line", span, "YAML indents with spaces: replace the tab with spaces"
    )


def odd_space(mistake: Mistake) -> Problem | None:
    """A space before the first word of a line that YAML does not take for one."""
    for number in (mistake.mark.line, mistake.mark.line - 1):
        line = mistake.lines[number] if 0 <= number < len(mistake.lines) else ""
        indent = line[: len(line) - len(line.lstrip())]
        odd = find_odd(indent)
        if odd is not None:
            message = f"{odd.described} indents this line, and YAML does not treat it as a space"
            return Problem(INDENTATION, message, mistake.span(number, odd.position - 1), "write plain spaces")
    return None


def misplaced_colon(mistake: Mistake) -> Problem | None:
    """A colon that makes no key: a second one in a value, or on a line that is indented wrongly."""
    if mistake.problem != "mapping values are not allowed here":
        return None
    before = mistake.line[: mistake.mark.column]
    first = _KEY.match(before[: 2 * _LONGEST_KEY])
    if first is not None:
        return Problem(
            SYNTAX,
            f"the value of '{_unquoted(first[1])}' has a second `: ` in it",
            mistake.span(mistake.mark.line, mistake.mark.column),
            "put quotes around the value; a map in a value starts on its own line",
        )
    name = before.strip(" -")
    if len(name) > _LONGEST_KEY:
        message = f"a key can have at most {_LONGEST_KEY:,} characters"
        return Problem(SYNTAX, message, mistake.span(mistake.mark.line, mistake.mark.column), QUOTE_HELP)
    above = _line_above(mistake)
    if above is not None and _indent(mistake.lines[above]) == _indent(mistake.line):
        return _no_colon(mistake, above)
    return Problem(
        INDENTATION,
        f"'{short(name)}' is indented as if it belonged to the text above it",
        mistake.span(mistake.mark.line, len(before) - len(before.lstrip(" -")), len(name)),
        _line_up(mistake, mistake.mark.line),
    )


def missing_colon(mistake: Mistake) -> Problem | None:
    """A line among keys that has no colon."""
    if mistake.context == "while scanning a simple key" and mistake.context_mark is not None:
        return _no_colon(mistake, mistake.context_mark.line)
    return None


def _no_colon(mistake: Mistake, line: int) -> Problem:
    text = mistake.lines[line]
    start = len(text) - len(text.lstrip(" -"))
    words = text.strip(" -").partition(" #")[0].strip()
    span = mistake.span(line, start, len(words))
    odd = find_odd(text[: start + len(words)])
    glued = re.match(r"[\w.-]+:(?=\S)", words)
    if odd is not None and odd.plain == " ":
        message = f"{odd.described} only looks like a space"
        return Problem(SYNTAX, message, mistake.span(line, odd.position - 1), "write a plain space")
    if glued is not None:
        # A part of a secret no longer looks like one.
        message = f"there is no space after the colon of `{mask(words)[: glued.end()]}`"
        return Problem(
            SYNTAX, message, mistake.span(line, start + glued.end() - 1), "write `key: value`, with a space"
        )
    return Problem(
        SYNTAX, f"'{short(words)}' has no colon: every line here is `key: value`", span, "write `key: value`"
    )


def misplaced_dash(mistake: Mistake) -> Problem | None:
    """A list item or a long key on the line of its key."""
    if mistake.problem == "sequence entries are not allowed here":
        what, help_text = "a list item (`- `)", "start the list on its own line, or write it as [one, two]"
    elif mistake.problem == "mapping keys are not allowed here":
        what, help_text = "a key (`? `)", "put quotes around a text that begins with `?`"
    else:
        return None
    span = mistake.span(mistake.mark.line, mistake.mark.column)
    return Problem(SYNTAX, f"{what} cannot be on the line of its key", span, help_text)


def misplaced_line(mistake: Mistake) -> Problem | None:
    """A line that is neither a neighbour of those above, nor below them."""
    if "expected <block end>" not in mistake.problem and "<document start>" not in mistake.problem:
        return None
    before = mistake.line[: mistake.mark.column]
    if before.strip(" -?"):
        return Problem(
            SYNTAX, "the value has ended, and something follows it on the line", mistake.here, QUOTE_HELP
        )
    in_list = "block collection" in mistake.context
    if mistake.context_mark is not None and mistake.context_mark.column == mistake.mark.column:
        there, here = ("list items (`- `)", "a key") if in_list else ("keys", "a list item (`- `)")
        also = ((mistake.span(mistake.context_mark.line, mistake.context_mark.column), "begins here"),)
        help_text = "indent it, or line it up with the key that it belongs to"
        return Problem(INDENTATION, f"{here} is among {there}", mistake.here, help_text, also)
    return Problem(
        INDENTATION,
        f"this line is indented by {_spaces(_indent(mistake.line))}, which lines up with nothing above it",
        mistake.here,
        _line_up(mistake, mistake.mark.line),
    )


def lonely_dash(mistake: Mistake) -> Problem | None:
    """A dash with nothing below it."""
    if not mistake.problem.startswith("expected the node content"):
        return None
    message = "a value is missing: what belongs to the dash above is indented further than it"
    return Problem(INDENTATION, message, mistake.here, "indent this line, or remove the dash")


def _line_above(mistake: Mistake) -> int | None:
    for line in range(mistake.mark.line - 1, -1, -1):
        text = mistake.lines[line].strip()
        if text and not text.startswith("#"):
            return line
    return None


def _line_up(mistake: Mistake, line: int) -> str:
    """The indentations that the line could have, from the lines above it."""
    levels: dict[int, int] = {}
    lowest = None
    for above in range(line - 1, -1, -1):
        text = mistake.lines[above]
        indent = _indent(text)
        if text.strip() and not text.lstrip().startswith("#") and (lowest is None or indent < lowest):
            levels[indent] = above + 1
            lowest = indent
    choices = [f"{_spaces(indent)} as on line {number}" for indent, number in levels.items()]
    return "indent it by " + ", or by ".join(choices[:3]) if choices else "remove the spaces before it"


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _spaces(count: int) -> str:
    return {0: "no spaces", 1: "1 space"}.get(count, f"{count} spaces")


def _unquoted(text: str) -> str:
    return short(text.strip("\"'"))
