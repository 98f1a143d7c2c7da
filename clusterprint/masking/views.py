"""A text as its readers see it: escapes decoded, folded lines joined, and where each character came from."""

import re
from array import array
from collections.abc import Callable, Iterator
from typing import NamedTuple

# Text in JSON in YAML is escaped twice; nobody escapes more often.
_ROUNDS = 3
_LETTERS = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029", "\t": "\t",
}  # fmt: skip
# The escapes of YAML (which has those of JSON and of Python), of shells (octal), of addresses and of HTML.
_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|0?([0-3]?[0-7]{2})|(\r?\n[ \t]*)"
    r"|([0abtnvfreN_LP \"/\\'\t]))"
    r"|%([0-9a-fA-F]{2})|&#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));|&(amp|quot|lt|gt|apos);"
)
_ENTITIES = {"amp": "&", "quot": '"', "lt": "<", "gt": ">", "apos": "'"}
# A line that holds nothing but the rest of a word goes on where the line before ended.
_FOLD = re.compile(r"(?<=[-\w+/=.~:])[ \t]*\r?\n[ \t]*(?=(?:[-\w+/=.~%]|:(?=[^\s]))+(?:[\"'\s,;@&)<}\]]|\Z))")
# What a terminal takes for itself: colours, titles, and characters that nobody sees. What is beside it is no
# longer one word, or (where what was searched for is coloured) still is.
_UNSEEN = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,100}[ -/]{0,10}[@-~]|\x1b\][^\x07\x1b\n]{0,500}(?:\x07|\x1b\\)?"
    r"|\x1b[ -/]{0,10}[0-~]"
    r"|[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_SEEN = dict.fromkeys(map(ord, "\0\t\r\n"))
_MAX_CODE = 0x10FFFF


class View(NamedTuple):
    """A text, and of each of its characters (and of its end) where it begins in the text that was given.

    `seams` are the places, in order, where it differs from the view that it was made of: what reaches over
    none of them stands there as well.
    """

    text: str
    starts: "array[int] | None" = None
    seams: "array[int] | None" = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A stretch of it in the text that was given."""
        return (start, end) if self.starts is None else (self.starts[start], self.starts[end])

    def beside_seams(self, width: int) -> str:
        """The text within so many characters of a seam; nothing in it runs on over what is left out."""
        parts: list[str] = []
        end = 0
        for seam in self.seams or ():
            start = max(end, seam - width)
            if start > end:
                parts.append("\0")
            end = min(len(self.text), seam + width)
            parts.append(self.text[start:end])
        return "".join(parts)


def views(text: str) -> Iterator[View]:
    """The text as it is, and in each other way in which it can be read; only those that differ."""
    view = View(text)
    yield view
    yield from _joined(view)
    for _ in range(_ROUNDS):
        decoded = _replaced(view, _ESCAPE, _character)
        if decoded is None:
            return
        view = decoded
        yield view
        yield from _joined(view)


def _joined(view: View) -> Iterator[View]:
    joined = _replaced(view, _FOLD, lambda _: "") if "\n" in view.text else None
    if joined is not None:
        yield joined
    # Almost no text has anything of the kind, and this tells it at once; NUL is what texts are joined by.
    if not view.text.translate(_SEEN).isprintable():
        for each in (" ", ""):
            seen = _replaced(view, _UNSEEN, lambda _, each=each: each)  # type: ignore[misc]
            if seen is not None:
                yield seen


def _replaced(view: View, pattern: re.Pattern[str], text_of: Callable[[re.Match[str]], str]) -> View | None:
    """The view with each match replaced by at most one character; None if there is none."""
    parts: list[str] = []
    starts = array("I")
    seams = array("I")
    end = 0
    for match in pattern.finditer(view.text):
        starts.extend(_starts(view, end, match.start()))
        seams.append(len(starts))
        text = text_of(match)
        starts.extend(_starts(view, match.start(), match.start() + len(text)))
        parts += (view.text[end : match.start()], text)
        end = match.end()
    if not end:
        return None
    starts.extend(_starts(view, end, len(view.text) + 1))
    return View("".join([*parts, view.text[end:]]), starts, seams)


def _starts(view: View, start: int, end: int) -> "range | array[int]":
    return range(start, end) if view.starts is None else view.starts[start:end]


def _character(match: re.Match[str]) -> str:
    """The character of an escape sequence; empty for an escaped line end."""
    x, u, long, octal, fold, letter, percent, hexadecimal, decimal, entity = match.groups()
    if letter:
        return _LETTERS.get(letter, letter)
    if fold:
        return ""
    if entity:
        return _ENTITIES[entity]
    number = x or u or long or percent or hexadecimal
    code = int(number, 16) if number else int(octal, 8) if octal else int(decimal)
    return chr(code) if code <= _MAX_CODE else "\ufffd"
