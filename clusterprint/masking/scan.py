"""Finding what looks like a secret, however it is written, in time that is linear in the text."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from clusterprint.masking.formats import FORMATS, Format
from clusterprint.masking.views import View, views

_BY_MARK = tuple((mark, form) for form in FORMATS for mark in form.marks)


class Found(NamedTuple):
    """A stretch of a text that looks like a secret, in words; never the secret itself."""

    what: str
    start: int
    end: int


def search(text: str) -> list[Found]:
    """Every stretch of a text that looks like a secret, in its order; none overlaps another."""
    # The text as it is comes first: its words win over those of the same secret seen otherwise.
    every = [found for view in views(text) for found in _in_view(view)]
    every.sort(key=lambda found: found.start)
    apart: list[Found] = []
    for found in every:
        if apart and found.start < apart[-1].end:
            apart[-1] = apart[-1]._replace(end=max(apart[-1].end, found.end))
        else:
            apart.append(found)
    return apart


def _in_view(view: View) -> Iterator[Found]:
    lowered = _lowered(view.text)
    # Most texts have no mark of any form, and this is as quick as it can be found out.
    for form in dict.fromkeys([form for mark, form in _BY_MARK if mark in lowered]):
        for match in _matches(form, view.text, lowered):
            group = "secret" if "secret" in match.re.groupindex else 0
            start, end = view.span(*match.span(group))
            if start < end:
                yield Found(form.words, start, end)


def _matches(form: Format, text: str, lowered: str) -> Iterator[re.Match[str]]:
    if form.anywhere:
        yield from _compiled(form).finditer(text)
        return
    for mark in form.marks:
        at = lowered.find(mark)
        while at >= 0:
            match = _compiled(form).match(text, at)
            if match:
                yield match
            # What a match covers is not looked at again: the time stays linear.
            at = lowered.find(mark, match.end() if match else at + 1)


def _lowered(text: str) -> str:
    """The text in lower case, with each character in its place: a few have two in lower case."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(each.lower()[:1] for each in text)


@cache
def _compiled(form: Format) -> re.Pattern[str]:
    return re.compile(form.pattern)
