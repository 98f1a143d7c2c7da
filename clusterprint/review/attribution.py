"""Attribution of changes to differences of a blueprint: found by reverting one at a time.

A difference is undone in the new version, which is synthesized again; what comes out differently is due
to that difference. Where undoing one alone gives no blueprint (or there are too many), places say it.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clusterprint.blueprint import blueprint_type
from clusterprint.document import Document
from clusterprint.document import Place as Keys
from clusterprint.errors import ClusterprintError
from clusterprint.review.causes import Reason
from clusterprint.review.delta import Delta
from clusterprint.review.differences import ABSENT
from clusterprint.review.side import Member, synthesized
from clusterprint.review.synthesized import compare
from clusterprint.validate import Validated
from clusterprint.validate.convert import convert
from clusterprint.validate.schema import check_schema

# Undoing one takes as long as synthesizing one blueprint.
_MOST = 12

Attribution = Mapping[str, tuple[int, ...]]


def attribute(head: Member, reasons: Sequence[Reason]) -> Attribution:
    """By stack and address (`stack/address`), the positions of the reasons behind a change."""
    if len(reasons) > _MOST or head.validated.blueprint is None:
        return {}
    found: dict[str, tuple[int, ...]] = {}
    for number, reason in enumerate(reasons):
        undone = _undone(head, reason)
        for stack, delta in _differing(undone, head) if undone else ():
            key = f"{stack}/{delta.resource.address}"
            found[key] = (*found.get(key, ()), number)
    return found


def _differing(before: Member, after: Member) -> Iterator[tuple[str, Delta]]:
    was = {each.name: each for each in before.stacks}
    now = {each.name: each for each in after.stacks}
    for name in sorted({*was, *now}):
        for delta in compare(was.get(name), now.get(name)):
            if delta.action:
                yield name, delta


def _undone(head: Member, reason: Reason) -> Member | None:
    """The new version without one difference; None if that is no blueprint."""
    document = head.validated.document
    data = copy.deepcopy(document.data)
    _put(data, reason)
    variant: Document = document._replace(data=data)
    kind = data.get("kind")
    try:
        if kind != document.data.get("kind") or check_schema(variant, kind).broken:
            return None
        blueprint, _ = convert(blueprint_type(kind), data, {})
        result = Validated(variant, blueprint, [])
        return Member(result, synthesized([result])[0])
    except (ClusterprintError, LookupError, ValueError, TypeError, OSError, AttributeError):
        # Rules did not look at it: it may be no blueprint that anything can be built of.
        return None


def _put(data: Any, reason: Reason) -> None:
    """Give a value back what it was before."""
    keys: Keys = reason.after_at
    if len(keys) < len(reason.words):
        # It is gone from a list of named things; the order plays no part.
        _at(data, keys).append(copy.deepcopy(reason.before))
        return
    *parents, last = keys
    target = _at(data, tuple(parents))
    if reason.before is ABSENT:
        del target[last]
    else:
        target[last] = copy.deepcopy(reason.before)


def _at(data: Any, keys: Keys) -> Any:
    for key in keys:
        data = data[key]
    return data
