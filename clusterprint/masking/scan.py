"""Finding what looks like a secret, however it is written, in time that is linear in the text."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from clusterprint.masking.formats import FORMATS, Format, written_out
from clusterprint.masking.views import View, views

# The forms that begin so, by their place in the list, for each beginning.
_BY_MARK: dict[str, list[int]] = {}
for _number, _form in enumerate(FORMATS):
    for _mark in dict.fromkeys(_form.marks):
        _BY_MARK.setdefault(_mark, []).append(_number)
# As far from the seam of a view may a mark begin or end that runs over it, the seam's own character included.
_WIDTH = max(map(len, _BY_MARK)) + 1
# Nothing runs on from one text into the next.
_BETWEEN = "\n\0\n"


class Found(NamedTuple):
    """A stretch of a text that looks like a secret, in words; never the secret itself."""

    what: str
    start: int
    end: int


def search(text: str) -> list[Found]:
    """Every stretch of a text that looks like a secret, in its order; none overlaps another."""
    # The text as it is comes first: its words win over those of the same secret seen otherwise.
    every: list[Found] = []
    marks: set[str] = set()
    for view in views(text):
        lowered = _lowered(view.text)
        # Most texts have no mark of any form, and this is as quick as it can be found out: all of the text
        # is looked at once, and of how else it can be read what differs.
        near = lowered if view.seams is None else _lowered(view.beside_seams(_WIDTH))
        marks.update(mark for mark in _BY_MARK if mark in near)
        every += _in_view(view, lowered, marks)
    every.sort(key=lambda found: found.start)
    apart: list[Found] = []
    for found in every:
        if apart and found.start < apart[-1].end:
            apart[-1] = apart[-1]._replace(end=max(apart[-1].end, found.end))
        else:
            apart.append(found)
    return apart


def holding(texts: Sequence[str]) -> set[str]:
    """Those among many texts that may hold a secret, found by one search, which costs a tenth of many."""
    ends = tuple(accumulate(len(each) + len(_BETWEEN) for each in texts))
    return {
        text
        for found in search(_BETWEEN.join(texts))
        for text in texts[bisect_right(ends, found.start) : bisect_left(ends, found.end) + 1]
    }


def _in_view(view: View, lowered: str, marks: Collection[str]) -> Iterator[Found]:
    forms: dict[int, list[str]] = {}
    for mark in marks:
        for number in _BY_MARK[mark]:
            forms.setdefault(number, []).append(mark)
    for number in sorted(forms):
        form = FORMATS[number]
        for match in _matches(form, forms[number], view.text, lowered):
            group = "secret" if "secret" in match.re.groupindex else 0
            start, end = view.span(*match.span(group))
            if start < end:
                yield Found(form.words, start, end)


def _matches(form: Format, marks: Sequence[str], text: str, lowered: str) -> Iterator[re.Match[str]]:
    if form.anywhere:
        yield from _compiled(form).finditer(text)
        return
    for mark in marks:
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
    return re.compile(written_out(form.pattern))
