"""Comments `# clusterprint: ignore[CODE, ...] reason`."""

import re
from typing import NamedTuple

from clusterprint.document import Ignore
from clusterprint.load.codes import MALFORMED_IGNORE
from clusterprint.load.events import Piece
from clusterprint.load.problem import Problem, short
from clusterprint.load.texts import LINE_END

# With the colon anything that begins like `ignore` is meant for us; without it, only what has brackets:
# "clusterprint ignores this" is a sentence.
_MEANT = re.compile(r"#+\s*clusterprint\s*(?::\s*ignor\w*|\s+ignor\w*\s*[\[(])", re.IGNORECASE)
_LOOKED_AT = 200
_FORM = re.compile(r"#+\s*clusterprint:\s*ignore\[([^\]]*)\](.*)\Z")
_CODE = re.compile(r"[A-Z]+[0-9]+\Z")
_EXAMPLE = "write `# clusterprint: ignore[VM001] why it is accepted`"


class Ignores(NamedTuple):
    """The well-formed ones, and the problems of the others."""

    ignores: tuple[Ignore, ...]
    problems: list[Problem]


def find_ignores(text: str, comments: list[Piece]) -> Ignores:
    """Reads the comments of a text."""
    meant = [comment for comment in comments if _MEANT.match(comment.text[:_LOOKED_AT])]
    if not meant:
        return Ignores((), [])
    lines = LINE_END.split(text)
    following = _next_content(lines)
    found: list[Ignore] = []
    problems: list[Problem] = []
    for comment in meant:
        result = _read(comment, lines, following)
        if isinstance(result, Problem):
            problems.append(result)
        else:
            found.append(result)
    return Ignores(tuple(found), problems)


def _read(comment: Piece, lines: list[str], following: list[int]) -> Ignore | Problem:
    form = _FORM.match(comment.text)
    if form is None:
        return _problem(comment, "this ignore comment does not have the form `ignore[CODE] reason`")
    codes = tuple(code.strip() for code in form[1].split(","))
    for code in codes:
        if not _CODE.match(code):
            named = f"'{short(code)}' is not a code" if code else "a code is missing between the brackets"
            return _problem(comment, f"in this ignore comment, {named}")
    # A second comment may follow on the same line.
    reason = re.split(r"\s#", form[2], maxsplit=1)[0].strip()
    if not reason:
        return _problem(comment, "this ignore comment gives no reason")
    line, column = comment.span.line, comment.span.column
    own_line = not lines[line - 1][: column - 1].strip()
    meant = following[line] if own_line else line
    return Ignore(codes, reason, comment.span, (meant,) if meant else ())


def _next_content(lines: list[str]) -> list[int]:
    """For every line (counting from 1) the next one below it that is more than a comment; 0 for none."""
    following = [0] * (len(lines) + 1)
    for number in range(len(lines) - 1, 0, -1):
        below = lines[number].lstrip()
        is_content = bool(below) and not below.startswith("#")
        following[number] = number + 1 if is_content else following[number + 1]
    return following


def _problem(comment: Piece, message: str) -> Problem:
    return Problem(MALFORMED_IGNORE, message, comment.span, _EXAMPLE)
