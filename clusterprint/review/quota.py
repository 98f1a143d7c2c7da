"""Use of quotas by clusters, and its change."""

import math
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, get_args

from clusterprint.review.delta import Resource
from clusterprint.review.model import CapacityModel, QuotaRow
from clusterprint.review.quota_parts import GLOBAL, Metric, Sort, quota_parts

_SORTS: tuple[Sort, ...] = get_args(Sort)


class QuotaNeed(NamedTuple):
    """So much of a quota, from what always runs to what autoscaling may add, for one capacity model.

    `model` is empty for what is no machine. What a reservation holds is not `is_asked`: it was counted when
    that was made. `doubt` says why the metric may be another one.
    """

    metric: Metric
    model: CapacityModel | Literal[""]
    least: int
    most: int
    is_asked: bool
    doubt: str
    sources: tuple[str, ...]


def quota_needs(resources: Sequence[Resource], owner: str = "") -> list[QuotaNeed]:
    """The usage of each quota by resources; `owner` is theirs if they name no project."""
    found: dict[tuple[Metric, str], QuotaNeed] = {}
    totals: dict[tuple[Metric, str], tuple[float, float]] = {}
    for part in quota_parts(resources, owner):
        key = (part.metric, part.model)
        least, most = totals.get(key, (0, 0))
        totals[key] = least + part.least, most + part.most
        least, most = totals[key]
        found[key] = QuotaNeed(
            part.metric,
            part.model,
            math.ceil(least),
            math.ceil(most),
            part.is_asked,
            part.doubt or (found[key].doubt if key in found else ""),
            part.sources,
        )
    return sorted((each for each in found.values() if each.most), key=_order)


def with_wishes(now: Sequence[QuotaNeed], others: Iterable[Sequence[Sequence[QuotaNeed]]]) -> list[QuotaNeed]:
    """The needs of a cluster, from the least to the most of its wishes for capacity.

    `others` are its needs with each other wish of a group, by group.
    """
    start = {(each.metric, each.model): each for each in now}
    found = dict(start)
    for of_group in others:
        options = [start, *({(each.metric, each.model): each for each in one} for one in of_group)]
        for key in dict.fromkeys(key for one in options for key in one):
            need = found.get(key) or next(one[key] for one in options if key in one)._replace(least=0, most=0)
            base = start.get(key)
            least, most = (base.least, base.most) if base else (0, 0)
            found[key] = need._replace(
                least=need.least + min(one[key].least if key in one else 0 for one in options) - least,
                most=need.most + max(one[key].most if key in one else 0 for one in options) - most,
            )
    return [each for each in found.values() if each.most]


def together(needs: Iterable[QuotaNeed]) -> list[QuotaNeed]:
    """The needs of several clusters, each quota and capacity model once."""
    found: dict[tuple[Metric, str], QuotaNeed] = {}
    for each in needs:
        key = (each.metric, each.model)
        other = found.get(key)
        found[key] = (
            each._replace(least=other.least + each.least, most=other.most + each.most) if other else each
        )
    return sorted(found.values(), key=_order)


def quota_changes(before: Iterable[QuotaNeed], after: Iterable[QuotaNeed]) -> tuple[QuotaRow, ...]:
    """How the need for machines and their disks changes: a row for each quota where it does."""
    was, now = _asked(before), _asked(after)
    return tuple(
        QuotaRow(
            owner=metric.owner,
            region=metric.region,
            metric=metric.name,
            dimension=metric.dimension,
            unit=metric.unit,
            before=was.get(metric, 0),
            after=now.get(metric, 0),
        )
        for metric in sorted({*was, *now}, key=_order_of_metric)
        if was.get(metric, 0) != now.get(metric, 0)
    )


def _asked(needs: Iterable[QuotaNeed]) -> dict[Metric, int]:
    found: dict[Metric, int] = {}
    for each in needs:
        if each.is_asked and each.metric.sort != "other":
            found[each.metric] = found.get(each.metric, 0) + each.most
    return found


def _order(need: QuotaNeed) -> tuple[object, ...]:
    return (*_order_of_metric(need.metric), need.model)


def _order_of_metric(metric: Metric) -> tuple[object, ...]:
    is_global = metric.region == GLOBAL
    return metric.cloud, metric.owner, is_global, metric.region, _SORTS.index(metric.sort), metric[4:]
