"""Edits of the text of a blueprint: another text in place of a stretch of it, counted in characters.

Comments stay. What is written in a file of defaults is never edited.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from clusterprint.diagnostic import Span
from clusterprint.document import Document, Place
from clusterprint.load import load_text
from clusterprint.load.texts import LINE_END, position

_COMMENT = re.compile(r"(?:^|(?<=\s))#.*", re.MULTILINE)
_EMPTY = re.compile(r"[\[{]\s*(?:[\]}]|\Z)")
_LINE = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|\Z)")
_COMMA = re.compile(r"\s*,[ \t]*")
_BLANK = re.compile(r"[ \t]*(?:\r\n|\r|\n)")


class Edit(NamedTuple):
    """Another text for a stretch; one without length is a place to insert it."""

    start: int
    stop: int
    text: str


class Rewritten(NamedTuple):
    """Several edits as one text for the span from the first to the last of them, and the whole text then."""

    span: Span
    text: str
    whole: str


def starts_of(text: str) -> list[int]:
    """Where each line of a text begins."""
    return [0, *(each.end() for each in LINE_END.finditer(text))]


def stretch(starts: Sequence[int], span: Span) -> tuple[int, int]:
    """A span of a text whose lines begin there, in characters."""
    return starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1


def applied(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """The text after edits, which are in its order; none overlaps another."""
    made, at = [], 0
    for start, stop, new in edits:
        made += [text[at:start], new]
        at = stop
    return "".join([*made, text[at:]])


def rewritten(text: str, edits: Iterable[Edit]) -> Rewritten:
    """Edits in any order together; none overlaps another."""
    end = "\r\n" if "\r\n" in text else "\n"
    ordered = sorted(each._replace(text=each.text.replace("\n", end)) for each in edits)
    first, last = ordered[0].start, ordered[-1].stop
    after = applied(text, ordered)
    made = after[first : len(after) - (len(text) - last)]
    return Rewritten(Span(*position(text, first), *position(text, last)), made, after)


def first_in(document: Document, place: Place, *texts: str) -> Edit | None:
    """Further entries of a map, or items of a list, before its first.

    None if the map or list is a default, is written elsewhere, or has an anchor.
    """
    written = document.written.get(place)
    if written is None or written.file:
        return None
    at, _ = _stretch(document, written.value)
    begin = document.text[at : at + 1]
    if begin in "*&":
        return None
    if begin in "{[":
        is_empty = _EMPTY.match(document.text, at) is not None
        return Edit(at + 1, at + 1, ", ".join(texts) + ("" if is_empty else ", "))
    dash = "- " if document.text[at : at + 2].rstrip() == "-" else ""
    return Edit(at, at, "".join(f"{dash}{each}\n{_indent(written.value)}" for each in texts))


def before(document: Document, place: Place, text: str) -> Edit:
    """A further entry of a map before one of it."""
    start, _, old = instead_of(document, place, text, "")
    return Edit(start, start, old)


def instead_of(document: Document, place: Place, *texts: str) -> Edit:
    """Other entries of a map in place of one."""
    written = document.written[place]
    between = ", " if _is_flow(document, place[:-1]) else f"\n{_indent(written.key)}"
    start, stop = _stretch(document, written.key)[0], _stretch(document, written.value)[1]
    return Edit(start, stop, between.join(texts))


def renamed(document: Document, place: Place, key: str) -> Edit:
    """Another key for an entry of a map."""
    return Edit(*_stretch(document, document.written[place].key), key)


def removed(document: Document, place: Place) -> Rewritten | None:
    """The text without an entry of a map that has it; None if something else would change as well.

    That is so for what an alias or a file of defaults says.
    """
    written = document.written.get(place)
    edit = None if written is None or written.file else without(document, place)
    if edit is None:
        return None
    found = rewritten(document.text, [edit])
    before, after = (_data(document, text) for text in (document.text, found.whole))
    return found if after is not None and after == _less(before, place) else None


def _data(document: Document, text: str) -> Any:
    """The data of a text in place of the document's, without defaults."""
    again = load_text(text.encode("utf-8", "surrogatepass"), "", document.folder).document
    return again.data if again else None


def _less(data: Any, place: Place) -> Any:
    """Data without the entry at a place; what an alias says elsewhere keeps it."""
    key, *rest = place
    new = data.copy()
    if rest:
        new[key] = _less(data[key], tuple(rest))
    else:
        del new[key]
    return new


def without(document: Document, place: Place) -> Edit | None:
    """Without an entry of a map, and without its line; only its comments stay.

    The last entry of a map leaves an empty map, not null. None where that would take more than the entry.
    """
    text, key = document.text, document.written[place].key
    start, stop, _ = instead_of(document, place)
    if _is_flow(document, place[:-1]):
        return _without_in_braces(document, place, start, stop)
    line = _LINE.match(text, stop)
    stop = line.end() if line else stop
    others = list(_others(document, place))
    if not others:
        return _empty(document, place, start, stop)
    indent, begin = _indent(key), start - key.column + 1
    if not text[begin:start].strip():
        kept = "".join(f"{indent}{each}\n" for each in _comments(document, place, begin, stop))
        return Edit(begin, stop, kept)
    # On the line of the dash of its item, the next entry takes its place.
    after = min((each for each in others if each > start), default=None)
    if after is None:
        return None
    kept = "".join(f"{each}\n{indent}" for each in _comments(document, place, start, after))
    return Edit(start, after, kept)


def _without_in_braces(document: Document, place: Place, start: int, stop: int) -> Edit:
    text, indent = document.text, _indent(document.written[place].key)
    comments = _comments(document, place, start, stop)
    before, begin = len(text[:start].rstrip()), start - len(indent)
    comma = _COMMA.match(text, stop)
    stop = comma.end() if comma else stop
    if not comma and text[before - 1] == ",":
        start = before - 1
    elif blank := _BLANK.match(text, stop):
        if not text[begin:start].strip():
            return Edit(begin, blank.end(), "".join(f"{indent}{each}\n" for each in comments))
        start = before
    return Edit(start, stop, "".join(f"{each}\n{indent}" for each in comments))


def _empty(document: Document, place: Place, start: int, stop: int) -> Edit | None:
    """An empty map in place of one with a single entry."""
    text, within = document.text, place[:-1]
    stop = start + len(text[start:stop].rstrip("\r\n"))
    comments, colon = f"\n{_indent(document.written[place].key)}", ""
    if within and isinstance(within[-1], str):
        _, after = _stretch(document, document.written[within].key)
        if _COMMENT.sub("", text[after:start]).strip() != ":":
            return None
        start, colon = after, ": "
    comments = comments.join(_comments(document, place, start, stop))
    return Edit(start, stop, f"{colon}{{}}{'  ' if comments else ''}{comments}")


def _others(document: Document, place: Place) -> Iterator[int]:
    """Where the other entries of the map of an entry begin, also those of an alias, but not of defaults."""
    for other, written in document.written.items():
        if other[:-1] == place[:-1] and other not in (place, ()) and not written.file:
            yield _stretch(document, written.key)[0]


def _comments(document: Document, place: Place, start: int, stop: int) -> list[str]:
    """The comments in a stretch about an entry; a # in one of its texts begins none."""
    text, parts = document.text, {each[:-1] for each in document.written if each}
    for at, written in document.written.items():
        if at[: len(place)] == place and at not in parts:
            first, last = _stretch(document, written.value)
            text = f"{text[:first]}{'-' * (last - first)}{text[last:]}"
    return [each.rstrip() for each in _COMMENT.findall(text[start:stop])]


def _is_flow(document: Document, place: Place) -> bool:
    at, _ = _stretch(document, document.written[place].value)
    return document.text[at : at + 1] == "{"


def _indent(span: Span) -> str:
    return " " * (span.column - 1)


def _stretch(document: Document, span: Span) -> tuple[int, int]:
    return stretch(starts_of(document.text), span)
