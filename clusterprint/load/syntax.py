"""What ruamel says about broken YAML, in words for people who do not know its grammar.

One file, one diagnostic: after the first place that cannot be read, everything else is a guess.
Each function below knows one kind of mistake, and returns None when it is another.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from ruamel.yaml.error import MarkedYAMLError

from clusterprint.diagnostic import Span
from clusterprint.load.brackets import bracket_mistake
from clusterprint.load.codes import INDENTATION, SYNTAX, TAB, TAG, UNCLOSED_QUOTE
from clusterprint.load.events import Events, Mark
from clusterprint.load.problem import Problem
from clusterprint.load.texts import LINE_END

_KEY = re.compile(r"""[ ]*(?:-[ ]+)*("[^"]*"|'[^']*'|[^\s#'"\[\]{},&*!|>%@`][^#:]*?)[ ]*:(?=\s|$)""")
_QUOTE_HELP = "put quotes around the text"
_LOOKS_LIKE_SPACE = re.compile("[\xa0\u2000-\u200f\u2060\u3000]")
_SHOWN = 40
_LONGEST_KEY = 1024


class Mistake(NamedTuple):
    """What ruamel reported, and the file around it. Lines and columns of marks count from 0."""

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


def explain(error: MarkedYAMLError, events: Events) -> Problem:
    """The one problem of a file that is not YAML."""
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return Problem(SYNTAX, f"the YAML cannot be read: {error.problem or error.context}")
    mistake = Mistake(
        error.problem or error.context or "",
        error.context or "",
        mark,
        error.context_mark,
        events,
        LINE_END.split(events.text),
    )
    for kind in _KINDS:
        problem = kind(mistake)
        if problem is not None:
            return problem
    return Problem(SYNTAX, f"the YAML cannot be read here: {mistake.problem}", mistake.here, "look for a missing quote")


def _tab(mistake: Mistake) -> Problem | None:
    if mistake.problem != "a tab indents":
        return None
    tabs = re.match(r"\t+", mistake.line[mistake.mark.column :])
    span = mistake.span(mistake.mark.line, mistake.mark.column, len(tabs.group()) if tabs else 1)
    return Problem(TAB, "a tab indents this line", span, "YAML indents with spaces: replace the tab with spaces")


def _quote(mistake: Mistake) -> Problem | None:
    if mistake.context == "while scanning a quoted scalar" and mistake.context_mark is not None:
        start = mistake.context_mark
        quote = mistake.events.text[start.index]
        until = "the end of the file" if "end of stream" in mistake.problem else "a new document"
        message = f"this `{quote}` is not closed before {until}"
        return Problem(UNCLOSED_QUOTE, message, mistake.span(start.line, start.column), f"write a closing `{quote}`")
    quoted = mistake.events.quoted
    if quoted is None or mistake.mark.line + 1 != quoted.end_line or mistake.mark.column + 1 < quoted.end_column:
        return None
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


def _after_quote(mistake: Mistake, quoted: Span) -> Problem | None:
    quote = mistake.lines[quoted.line - 1][quoted.column - 1]
    way_out = "put the whole text in quotes"
    if quoted.end_column - 1 == mistake.mark.column:
        way_out = "write a quote inside single quotes twice: ''" if quote == "'" else 'write \\" for a quote inside the text'
    return Problem(UNCLOSED_QUOTE, f"the text is closed by `{quote}`, and then goes on", mistake.here, way_out)


def _colon(mistake: Mistake) -> Problem | None:
    if mistake.problem != "mapping values are not allowed here":
        return None
    before = mistake.line[: mistake.mark.column]
    first = _KEY.match(before)
    if first is not None:
        return Problem(
            SYNTAX,
            f"the value of `{_unquoted(first[1])}` has a second `: ` in it",
            mistake.span(mistake.mark.line, mistake.mark.column),
            "put quotes around the value; a map in a value starts on its own line",
        )
    name = before.strip(" -")
    if len(name) > _LONGEST_KEY:
        message = f"a key can have at most {_LONGEST_KEY:,} characters"
        return Problem(SYNTAX, message, mistake.span(mistake.mark.line, mistake.mark.column), _QUOTE_HELP)
    above = _line_above(mistake)
    if above is not None and _indent(mistake.lines[above]) == _indent(mistake.line):
        return _no_colon(mistake, above)
    return Problem(
        INDENTATION,
        f"`{_short(name)}` is indented as if it belonged to the text above it",
        mistake.span(mistake.mark.line, len(before) - len(before.lstrip(" -")), len(name)),
        _line_up(mistake, mistake.mark.line),
    )


def _key_without_colon(mistake: Mistake) -> Problem | None:
    if mistake.context == "while scanning a simple key" and mistake.context_mark is not None:
        return _no_colon(mistake, mistake.context_mark.line)
    return None


def _no_colon(mistake: Mistake, line: int) -> Problem:
    text = mistake.lines[line]
    start = len(text) - len(text.lstrip(" -"))
    words = text.strip(" -").partition(" #")[0].strip()
    span = mistake.span(line, start, len(words))
    odd = _LOOKS_LIKE_SPACE.search(text)
    glued = re.match(r"[\w.-]+:(?=\S)", words)
    if odd is not None:
        message = f"a character that only looks like a space, U+{ord(odd.group()):04X}"
        return Problem(SYNTAX, message, mistake.span(line, odd.start()), "replace it with a plain space")
    if glued is not None:
        message = f"there is no space after the colon of `{glued.group()}`"
        return Problem(SYNTAX, message, mistake.span(line, start + glued.end() - 1), "write `key: value`, with a space")
    return Problem(SYNTAX, f"`{_short(words)}` has no colon: every line here is `key: value`", span, "write `key: value`")


def _dash(mistake: Mistake) -> Problem | None:
    if mistake.problem == "sequence entries are not allowed here":
        what, way_out = "a list item (`- `)", "start the list on its own line, or write it as [one, two]"
    elif mistake.problem == "mapping keys are not allowed here":
        what, way_out = "a key (`? `)", "put quotes around a text that begins with `?`"
    else:
        return None
    span = mistake.span(mistake.mark.line, mistake.mark.column)
    return Problem(SYNTAX, f"{what} cannot stand on the line of its key", span, way_out)


def _block(mistake: Mistake) -> Problem | None:
    """A line that is neither a neighbour of those above, nor below them."""
    if "expected <block end>" not in mistake.problem and "<document start>" not in mistake.problem:
        return None
    before = mistake.line[: mistake.mark.column]
    if before.strip(" -?"):
        return Problem(SYNTAX, "the value has ended, and something follows it on the line", mistake.here, _QUOTE_HELP)
    in_list = "block collection" in mistake.context
    if mistake.context_mark is not None and mistake.context_mark.column == mistake.mark.column:
        there, here = ("list items (`- `)", "a key") if in_list else ("keys", "a list item (`- `)")
        also = ((mistake.span(mistake.context_mark.line, mistake.context_mark.column), "begins here"),)
        way_out = "indent it, or line it up with the key that it belongs to"
        return Problem(INDENTATION, f"{here} stands among {there}", mistake.here, way_out, also)
    return Problem(
        INDENTATION,
        f"this line is indented by {_spaces(_indent(mistake.line))}, which lines up with nothing above it",
        mistake.here,
        _line_up(mistake, mistake.mark.line),
    )


def _character(mistake: Mistake) -> Problem | None:
    found = re.match(r"found character '(.+)' that cannot start any token", mistake.problem)
    if found is None:
        return None
    span = mistake.span(mistake.mark.line, mistake.mark.column)
    return Problem(SYNTAX, f"a text without quotes cannot begin with `{found[1]}`", span, _QUOTE_HELP)


def _star(mistake: Mistake) -> Problem | None:
    if mistake.context not in ("while scanning an alias", "while scanning an anchor"):
        return None
    start = mistake.context_mark or mistake.mark
    sign, what = ("*", "alias") if mistake.context.endswith("alias") else ("&", "anchor")
    message = f"`{sign}` begins the name of an {what}, and this is none"
    return Problem(SYNTAX, message, mistake.span(start.line, start.column), _QUOTE_HELP)


def _escape(mistake: Mistake) -> Problem | None:
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
    return Problem(SYNTAX, f"`{text}` is no escape in double quotes", span, "write `\\\\`, or use single quotes")


def _block_text(mistake: Mistake) -> Problem | None:
    if mistake.problem.startswith("more indented follow up line"):
        message = "the blank line at the start of this text is indented further than the text"
        return Problem(INDENTATION, message, mistake.here, "remove the spaces on the blank line")
    if mistake.context != "while scanning a block scalar" or mistake.context_mark is None:
        return None
    start = mistake.context_mark
    sign = mistake.events.text[start.index]
    message = f"`{sign}` begins a text on the lines below, and something follows it here"
    return Problem(SYNTAX, message, mistake.span(start.line, start.column), f"start a new line, or {_QUOTE_HELP}")


def _tag(mistake: Mistake) -> Problem | None:
    if "tag" not in mistake.problem and not re.search(r"\btag\b", mistake.context):
        return None
    start = mistake.context_mark or mistake.mark
    written = re.match(r"\S+", mistake.lines[start.line][start.column :])
    text = written.group() if written else "!"
    span = mistake.span(start.line, start.column, len(text))
    message = f"`{_short(text)}` is a tag, and blueprints do not use tags"
    return Problem(TAG, message, span, "remove it, or put quotes around a text that begins with `!`")


_KINDS: tuple[Callable[[Mistake], Problem | None], ...] = (
    _tab,
    _quote,
    bracket_mistake,
    _colon,
    _key_without_colon,
    _dash,
    _block,
    _character,
    _star,
    _escape,
    _block_text,
    _tag,
)


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
    return _short(text.strip("\"'"))


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
