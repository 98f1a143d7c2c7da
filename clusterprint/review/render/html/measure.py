"""Widths of texts: generous guesses for sans-serif fonts, as only browsers can measure."""

import re
from collections.abc import Iterator

TITLE, TEXT, KICKER, LABEL = 14.0, 12.0, 10.0, 11.0  # font sizes
LINE = 1.4  # height of a line, in font sizes

_BREAKS = re.compile(r"[^\s/_.-]*[\s/_.-]?")  # a text in parts that lines can be broken between
_LATIN = "\u2e7f"  # letters beyond are as wide as they are high
_NARROW, _WIDE = set("ijl.,:;|'!()[] ft"), set("mwMWQO@%")


def text_width(text: str, size: float) -> float:
    """About how wide a text is at most."""
    return size * sum(map(_ems, text))


def _ems(letter: str) -> float:
    if letter in _NARROW:
        return 0.36
    if letter in _WIDE or letter > _LATIN:
        return 1.0
    return 0.68 if letter.isupper() else 0.6


def wrap(text: str, width: float, size: float, most: int = 3) -> tuple[str, ...]:
    """A text in lines that fit, with an ellipsis if it takes too many."""
    lines = [""]
    for part in _BREAKS.findall(" ".join(text.split())):
        if lines[-1] and text_width((lines[-1] + part).rstrip(), size) > width:
            lines.append("")
        *whole, rest = _pieces(part if lines[-1] else part.lstrip(), width, size)
        lines = [*lines[:-1], *whole, rest] if whole else [*lines[:-1], lines[-1] + rest]
    lines = [line.strip() for line in lines if line.strip()]
    if len(lines) <= most:
        return tuple(lines)
    last = lines[most - 1]
    while last and text_width(f"{last}\N{HORIZONTAL ELLIPSIS}", size) > width:
        last = last[:-1]
    return (*lines[: most - 1], f"{last}\N{HORIZONTAL ELLIPSIS}")


def _pieces(word: str, width: float, size: float) -> Iterator[str]:
    """A part of a text that is wider than a line, cut."""
    piece = ""
    for each in word:
        if piece and text_width(piece + each, size) > width:
            yield piece
            piece = ""
        piece += each
    yield piece
