"""Fixes of blueprints: a diagnostic has `instead`, a text for a span, if only one correction is possible.

Each edit is validated before it is kept: its problem has to be gone, and no new one may appear. `lint --fix`
and editors share this.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from clusterprint.diagnostic import Diagnostic, Severity
from clusterprint.edits import applied, starts_of, stretch
from clusterprint.load import load_text, with_defaults
from clusterprint.load.texts import LINE_END
from clusterprint.masking import mask
from clusterprint.validate import in_order, validate
from clusterprint.validate.codes import UNKNOWN_KEY

# Each round fixes at least one thing, and shows what was hidden behind it.
_ROUNDS = 50


class Edit(NamedTuple):
    """Another text in place of what stands between two positions, for the sake of one problem."""

    start: int
    stop: int
    text: str
    about: Diagnostic


class Fixed(NamedTuple):
    """The text as it is afterwards, and the problems that were fixed, in the order of the file."""

    text: str
    done: tuple[Diagnostic, ...]


def fix(text: str, name: str, file: Path, root: Path) -> Fixed:
    """Fix all that can be fixed in a blueprint, and leave everything else as it is.

    `name` is what messages call the file. Defaults beside and above it count, up to `root`, and stay.
    """
    done: list[Diagnostic] = []
    refused: set[tuple[str, str, str | None]] = set()
    found = _problems(text, name, file, root) or []
    most = len(found)
    for _ in range(_ROUNDS):
        own = [each for each in found if each.place.file == name]
        edits = _together([each for each in edits_of(text, own) if _key(each.about) not in refused][:most])
        if not edits:
            break
        tried = applied(text, [each[:3] for each in edits])
        after = _problems(tried, name, file, root)
        if after is not None and _is_better(edits, found, after):
            done += [each.about for each in edits]
            text, found = tried, after
            most *= 2
        elif len(edits) == 1:
            refused.add(_key(edits[0].about))
        else:
            most = len(edits) // 2
    return Fixed(text, tuple(in_order(done)))


def _together(edits: Sequence[Edit]) -> list[Edit]:
    """Those of the edits that can be tried at once: none reaches into another, and all are judged alike."""
    chosen: list[Edit] = []
    for each in edits:
        if not chosen or (each.start >= chosen[-1].stop and _sort(each) == _sort(chosen[0])):
            chosen.append(each)
    return chosen


def _sort(edit: Edit) -> str:
    """The sort of an edit: of a `key` that is not known, a `removed` entry, or a `value`."""
    if edit.about.removes:
        return "removed"
    return "key" if edit.about.code == UNKNOWN_KEY.code else "value"


def edits_of(text: str, diagnostics: Sequence[Diagnostic]) -> list[Edit]:
    """The edits that the problems of a text ask for, in the order of the text."""
    starts = starts_of(text)
    found = []
    for each in diagnostics:
        if each.instead is None or each.place.span is None or mask(each.instead) != each.instead:
            continue
        start, stop = stretch(starts, each.over or each.place.span)
        if not (each.instead or each.over):
            start, stop = _with_space(text, start, stop)
        found.append(Edit(start, stop, each.instead, each))
    return sorted(found, key=lambda each: each.start)


def _problems(text: str, name: str, file: Path, root: Path) -> list[Diagnostic] | None:
    """The diagnostics of a text; None if it cannot be read."""
    alone = load_text(text.encode("utf-8", "surrogatepass"), name, file.parent)
    loaded, _ = with_defaults(alone, file, name, root)
    if loaded.document is None:
        return None
    return [*loaded.diagnostics, *validate(loaded.document).diagnostics]


def _key(about: Diagnostic) -> tuple[str, str, str | None]:
    return about.code, about.message, about.instead


def _is_better(edits: Sequence[Edit], before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> bool:
    """Whether each of the problems is gone, and there are no more errors than before.

    After entries were removed, which changes nothing of a cluster, no other problem may appear.
    """
    left = Counter((each.code, each.message) for each in before)
    left -= Counter((each.about.code, each.about.message) for each in edits)
    now = Counter((each.code, each.message) for each in after)
    if any(now[what] > left[what] for what in {(each.about.code, each.about.message) for each in edits}):
        return False
    sort = _sort(edits[0])
    if sort == "removed":
        return not now - left
    # Below a key that was not known, everything is looked at for the first time.
    return sort == "key" or _errors(after) <= _errors(before)


def _errors(diagnostics: Sequence[Diagnostic]) -> int:
    return sum(each.severity is Severity.ERROR for each in diagnostics)


def _with_space(text: str, start: int, stop: int) -> tuple[int, int]:
    """The span to remove along with a value: the space before it, and its line if that is then empty."""
    begin = start - (len(text[:start]) - len(text[:start].rstrip(" \t")))
    if begin == 0 or text[begin - 1] in "\r\n":
        end = LINE_END.match(text, stop)
        return begin, end.end() if end else stop
    return begin, stop
