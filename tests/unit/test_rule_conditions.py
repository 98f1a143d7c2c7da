"""The index of rules says what a rule needs of its subject only where its source makes that certain."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec import UNSET
from rule_conditions import conditions

from clusterprint.blueprint.broken import BROKEN
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.index import Entry
from clusterprint.rules.kit import given, known

Found = Iterator[Any]


def guarded(part: Any, context: Any) -> Found:
    zones = part.zones
    if not given(part.count) or context.x or not zones:
        return
    yield zones


def either(part: Any, _: Any) -> Found:
    if part.a or part.b:
        yield 1


def both(part: Any, _: Any) -> Found:
    if part.a is not UNSET and (size := part.b.c):
        yield size
    else:
        return


def found_twice(part: Any, _: Any) -> Found:
    for each in known(part.items, str):
        yield each, 1
    if part.items and part.other:
        yield 2


def found_elsewhere(part: Any, _: Any) -> Found:
    yield from part.items
    yield part


def grown(part: Any, _: Any) -> Found:
    found = list(part.items)
    found.append(1)
    yield from found


def rebound(part: Any, _: Any) -> Found:
    part = part.other
    if part.a:
        yield 1


def by_another(part: Any, context: Any) -> Found:
    yield from found_twice(part, context)


def of_another(part: Any, context: Any) -> Found:
    yield from found_twice(context, part)


def otherwise(part: Any, _: Any) -> Found:
    if part.a:
        str(part)
    else:
        yield 1


def more_than(part: Any, context: Any) -> Found:
    if len(part.items) > context.most:
        yield 1


def without(part: Any, _: Any) -> Found:
    if not part.a:
        yield 1


@pytest.mark.parametrize(
    ("check", "needs"),
    [
        (guarded, ["count?", "zones"]),
        (either, []),
        (both, ["a?", "b.c"]),
        (found_twice, ["items"]),
        (found_elsewhere, []),
        (grown, []),
        (rebound, []),
        (by_another, ["items"]),
        (of_another, []),
        (otherwise, []),
        (more_than, ["items"]),
        (without, []),
    ],
)
def test_conditions_are_certain(check: Callable[..., Found], needs: list[str]) -> None:
    assert conditions(check) == needs


@pytest.mark.parametrize(
    ("fields", "field", "expected"),
    [
        ({}, "count?", False),
        ({"count": 0}, "count?", True),
        ({"count": BROKEN}, "count?", True),
        ({}, "zones", False),
        ({"zones": ("us-central1-a",)}, "zones", True),
        ({}, "tpu.topology", False),
        ({"tpu": BROKEN}, "tpu.topology", True),
        ({}, "gpu.partition_size?", False),
        ({}, "unknown.field", True),
    ],
)
def test_a_rule_is_left_out_only_for_what_lacks_its_fields(
    fields: dict[str, Any], field: str, expected: bool
) -> None:
    entry = Entry("GKE000", "gke.none", "Blueprint", firm=True, subjects=("NodePool",), needs=(field,))
    pool = NodePool(name="a", machine_type="g2-standard-8", **fields)
    assert entry.can_find({"NodePool": [pool]}) is expected
    assert not entry.can_find({"Cluster": [pool]})
