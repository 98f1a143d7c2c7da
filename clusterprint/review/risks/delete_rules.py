"""Rules by which Cloud Storage deletes the objects of a bucket, in which there are some already."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Resource, Values, blocks, get, texts, whole
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About, titled
from clusterprint.words import counted

_DAY = 24 * 60 * 60

# What the provider says of conditions that nobody asked for.
_NOTHING: tuple[Any, ...] = (None, False, 0, "", "ANY", [], {})


class _Rule(NamedTuple):
    """Deletes what is so many days old and begins with one of the prefixes (none: everything).

    `others` are further conditions, all of which hold.
    """

    days: int
    prefixes: tuple[str, ...]
    others: Mapping[str, Any]

    def is_within(self, other: "_Rule") -> bool:
        """Whether another rule deletes all of the same, no later."""
        begins = not other.prefixes or (
            bool(self.prefixes) and all(each.startswith(other.prefixes) for each in self.prefixes)
        )
        return begins and other.days <= self.days and self.others == other.others

    @property
    def what(self) -> str:
        """The objects that it deletes, in words."""
        names = f" under {', '.join(self.prefixes)}" if self.prefixes else ""
        old = f" that are {counted(self.days, 'day')} old" if self.days else ""
        more = f" ({', '.join(sorted(self.others))})" if self.others else ""
        return f"objects{names}{old}{more}"


def delete_rules(scene: ComparedCluster) -> Iterator[Risk]:
    """Each bucket that stays, and of which more objects are deleted from now on, or earlier."""
    about = About(scene)
    for delta in scene.deltas:
        if delta.resource.type != "google_storage_bucket" or delta.action != "changed":
            continue
        before, after = (_rules(each) for each in (delta.before, delta.after))
        more = [each for each in after if not any(each.is_within(one) for one in before)]
        if more:
            message = f"{titled(delta)} begins to delete {', and '.join(each.what for each in more)}"
            help_text = f"look at what is there, or limit the rule by `prefix`; {_way_back(delta.after)}"
            yield about.risk("objects_deleted", "high", message, [delta], help_text, hint="lifecycle")


def _way_back(bucket: Resource | None) -> str:
    """How long deleted objects can be had back."""
    found = get(bucket.values, "soft_delete_policy.retention_duration_seconds") if bucket else None
    if found is None:
        return "deleted objects can be restored as long as `soft_delete` says"
    days = whole(found) // _DAY
    return (
        f"deleted objects can be restored for {counted(days, 'day')}" if days else "nothing brings them back"
    )


def _rules(bucket: Resource | None) -> list[_Rule]:
    """The rules that delete."""
    rules = blocks(bucket.values, "lifecycle_rule") if bucket else []
    return [_rule(each) for each in rules if get(each, "action.type") == "Delete"]


def _rule(block: Values) -> _Rule:
    found = next(iter(blocks(block, "condition")), {})
    asked = {key: each for key, each in found.items() if each not in _NOTHING and not key.startswith("send_")}
    return _Rule(whole(asked.pop("age", 0)), tuple(texts(asked.pop("matches_prefix", None))), asked)
