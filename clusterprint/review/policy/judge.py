"""A policy's judgement on a change."""

import shlex
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from msgspec import UNSET

from clusterprint.document import Document
from clusterprint.document import Place as Keys
from clusterprint.errors import UsageError
from clusterprint.review.cost import HOURS_OF_A_MONTH
from clusterprint.review.model import Capacity, Cost, Policy, PolicyFinding, Risk
from clusterprint.review.policy.names import FORBIDDABLE, covers
from clusterprint.review.policy.read import ReadPolicy
from clusterprint.review.policy.types import Limits
from clusterprint.validate import words

_LIMITS = tuple(Limits.__struct_fields__)


_ALLOWABLE = (*FORBIDDABLE, *_LIMITS)


def check_allowed(allowed: Sequence[str]) -> None:
    """Refuse names that no policy knows: a typo must not look like a permission."""
    for name in allowed:
        if name not in _ALLOWABLE:
            meant = words.closest(name, _ALLOWABLE)
            way_out = f"did you mean {meant!r}?" if meant else f"known are: {', '.join(_ALLOWABLE)}"
            raise UsageError(f"--allow {name}: no policy knows this name; {way_out}")


class Labelled(NamedTuple):
    """What the labels of a pull request allow, and what is to be said about those that allow nothing."""

    allowed: tuple[str, ...]
    notes: tuple[str, ...]


def read_labels(labels: Sequence[str], prefix: str) -> Labelled:
    """What the labels that begin with a prefix say; all others are about something else.

    A mistyped label allows nothing, and is a note rather than wrong usage: whoever sets a label sees the
    report, not the log of a job.
    """
    named = [label.removeprefix(prefix) for label in labels if prefix and label.startswith(prefix)]
    notes = []
    for name in named:
        if name not in _ALLOWABLE:
            meant = words.closest(name, _ALLOWABLE)
            way_out = f"did you mean {prefix}{meant}?" if meant else f"known are: {', '.join(_ALLOWABLE)}"
            notes.append(
                f"The label {prefix}{name} allows nothing, because no policy knows {name!r}; {way_out}"
            )
    return Labelled(tuple(name for name in named if name in _ALLOWABLE), tuple(notes))


class Judge(NamedTuple):
    """A policy, and what people allowed for this change; `notes` say what they could not allow."""

    read: ReadPolicy | None = None
    allowed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def options(self) -> str:
        """The options that lead to this judgement, with a space before each."""
        named = f" --policy {shlex.quote(self.read.file)}" if self.read and self.read.named else ""
        return named + "".join(f" --allow {each}" for each in self.allowed)

    def judge(self, risks: Sequence[Risk], capacity: Sequence[Capacity], cost: Cost) -> Policy:
        """What the policy has to say. Without a policy, or with a broken one, nothing."""
        read = self.read
        if read is None or read.policy is None:
            return Policy(file=read.file if read else "", allowed=self.allowed)
        found = [*_forbidden(read, self.allowed, risks), *_beyond(read, self.allowed, capacity, cost)]
        return Policy(file=read.file, findings=tuple(found), allowed=self.allowed)


def _forbidden(read: ReadPolicy, allowed: Sequence[str], risks: Sequence[Risk]) -> Iterator[PolicyFinding]:
    """One finding for each risk, under the first word that is about it."""
    names = read.policy.forbid if read.policy else ()
    for risk in risks:
        for index, name in enumerate(names):
            if covers(name, risk):
                lifted = next((each for each in allowed if each == name or covers(each, risk)), "")
                line, column = _at(read.document, ("forbid", index))
                yield PolicyFinding(
                    rule=name,
                    message=f"{risk.cluster}: {risk.message}" if risk.cluster else risk.message,
                    help=f"if it is meant, allow it: --allow {risk.name}",
                    line=line,
                    column=column,
                    allowed_by=lifted,
                    addresses=risk.addresses,
                )
                break


def _beyond(
    read: ReadPolicy, allowed: Sequence[str], capacity: Sequence[Capacity], cost: Cost
) -> Iterator[PolicyFinding]:
    limits = read.policy.limits if read.policy else Limits()
    more = _more(capacity, cost)
    for name, amount in more.items():
        limit = getattr(limits, name)
        if limit is not UNSET and amount > limit:
            message = f"{amount:,g} more {_WORDS[name]}, and the policy allows {limit:,g}"
            yield _limit(read, name, message, allowed)
    if limits.unknown_cost == "forbid" and cost.per_hour is None:
        yield _limit(read, "unknown_cost", "the cost of the change is not known", allowed)


_WORDS = {
    "gpus": "GPUs",
    "tpu_chips": "TPU chips",
    "nodes": "nodes",
    "cost_per_hour": "US dollars per hour",
    "cost_per_month": "US dollars per month",
}


def _more(capacity: Sequence[Capacity], cost: Cost) -> dict[str, float]:
    """What the change asks for beyond what there is, at the most that autoscaling allows."""

    def accelerators(unit: str) -> float:
        rows = (row for row in capacity if row.unit == unit)
        return sum(row.after.most_accelerators - row.before.most_accelerators for row in rows)

    return {
        "gpus": accelerators("GPU"),
        "tpu_chips": accelerators("TPU chip"),
        "nodes": sum(row.after.most_nodes - row.before.most_nodes for row in capacity),
        "cost_per_hour": cost.known_per_hour,
        "cost_per_month": round(cost.known_per_hour * HOURS_OF_A_MONTH, 2),
    }


def _limit(read: ReadPolicy, name: str, message: str, allowed: Collection[str]) -> PolicyFinding:
    line, column = _at(read.document, ("limits", name))
    return PolicyFinding(
        rule=f"limits.{name}",
        message=message,
        help=f"ask for less at once, or allow it: --allow {name}",
        line=line,
        column=column,
        allowed_by=name if name in allowed else "",
    )


def _at(document: Document | None, keys: Keys) -> tuple[int, int]:
    """Where the policy says it."""
    span = document.label(keys).span if document else None
    return (span.line, span.column) if span else (1, 1)
