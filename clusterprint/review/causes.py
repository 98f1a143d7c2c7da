"""Differences of a blueprint, in its own words and at its lines."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from clusterprint.document import NOTES, Document
from clusterprint.document import Place as Keys
from clusterprint.masking import is_secret_name
from clusterprint.review.differences import ABSENT
from clusterprint.review.model import Cause, Place
from clusterprint.review.values import shown


class Reason(NamedTuple):
    """A difference between two documents; `before_at` and `after_at` are where its value stands in each."""

    words: tuple[str, ...]
    before_at: Keys
    after_at: Keys
    before: Any
    after: Any


def find_reasons(before: Document, after: Document) -> list[Reason]:
    """Every difference, as deep as both documents have the same keys."""
    return list(_reasons(_meant(before), _meant(after), (), (), ()))


def _meant(document: Document) -> dict[str, Any]:
    """The keys about the cluster: `x-` keys are followed to where they are repeated."""
    return {key: value for key, value in document.data.items() if not key.startswith(NOTES)}


def _reasons(before: Any, after: Any, words: tuple[str, ...], old: Keys, new: Keys) -> Iterator[Reason]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in (*after, *(key for key in before if key not in after)):
            yield from _reasons(
                before.get(key, ABSENT), after.get(key, ABSENT), (*words, str(key)), (*old, key), (*new, key)
            )
    elif _are_named(before) and _are_named(after):
        was = {each["name"]: index for index, each in enumerate(before)}
        now = {each["name"]: index for index, each in enumerate(after)}
        for name in (*now, *(name for name in was if name not in now)):
            yield from _reasons(
                before[was[name]] if name in was else ABSENT,
                after[now[name]] if name in now else ABSENT,
                (*words, name),
                (*old, was[name]) if name in was else old,
                (*new, now[name]) if name in now else new,
            )
    elif before != after:
        yield Reason(words, old, new, before, after)


def _are_named(value: Any) -> bool:
    """Whether a list is one of things with names, each another one."""
    if not isinstance(value, list) or not value:
        return False
    names = [each.get("name") if isinstance(each, dict) else None for each in value]
    return all(isinstance(name, str) for name in names) and len(set(names)) == len(names)


def cause(reason: Reason, before: Document, after: Document) -> Cause:
    """A difference as the report shows it."""
    gone = reason.after is ABSENT
    keys = reason.before_at if gone else reason.after_at
    place = place_of(before if gone else after, keys, ".".join(reason.words))
    if gone:
        place = msgspec.structs.replace(place, side="base")
    secret = bool(reason.words) and is_secret_name(reason.words[-1])
    return Cause(
        place=place, before=_words(reason.before, secret=secret), after=_words(reason.after, secret=secret)
    )


def _words(value: Any, *, secret: bool) -> str:
    if value is ABSENT:
        return ""
    return "(sensitive)" if secret else shown(value)


def place_of(document: Document, keys: Keys, words: str = "") -> Place:
    """A place of a document, as the report shows it."""
    near = document.nearest(keys)
    written = document.written[near]
    span, file = written.key, written.file or document.file
    return Place(file=file, line=span.line, column=span.column, key=words or in_words(document, near))


def in_words(document: Document, keys: Keys) -> str:
    """A path of keys in which the things of a list go by their names."""
    words = []
    value = document.data
    for key in keys:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            value = None
        name = value.get("name") if isinstance(key, int) and isinstance(value, dict) else None
        words.append(name if isinstance(name, str) else str(key))
    return ".".join(words)
