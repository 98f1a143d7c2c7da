"""Pools that roll: the generation that goes and the one that comes are one replacement, the new one first."""

from collections.abc import Iterable

from clusterprint.derived import rolls
from clusterprint.review.delta import Delta
from clusterprint.review.model import Forcing

_FORCING = Forcing(path="update.strategy", source="the blueprint: roll")


def rolled(deltas: Iterable[Delta]) -> list[Delta]:
    """The same changes, with one for both generations of a pool."""
    found = list(deltas)
    pools = [each for each in found if each.resource.type == rolls.POOL]
    gone = {each.resource.address: each for each in pools if each.action == "removed" and each.before}
    made = {each.resource.address: each for each in pools if each.action == "added" and each.after}
    pairs = dict(
        rolls.successors(
            {address: each.resource.values for address, each in gone.items()},
            {address: each.resource.values for address, each in made.items()},
        )
    )
    news = {new: old for old, new in pairs.items()}
    return [
        each._replace(
            action="replaced",
            before=each.resource._replace(values=gone[news[address]].resource.values),
            create_first=True,
            forced=(_FORCING,),
        )
        if (address := each.resource.address) in news
        else each
        for each in found
        if each.resource.address not in pairs
    ]
