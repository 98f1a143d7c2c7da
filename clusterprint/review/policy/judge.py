"""The judgement of policies on a change."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from clusterprint.derived.durations import HOURS_OF_A_MONTH
from clusterprint.derived.machines import Machines
from clusterprint.document import Document
from clusterprint.document import Place as Keys
from clusterprint.errors import UsageError
from clusterprint.review.capacity import capacity
from clusterprint.review.cost import cost
from clusterprint.review.model import Capacity, Cost, Policy, PolicyFinding, Risk
from clusterprint.review.policy.amounts import in_words
from clusterprint.review.policy.expect import EXPECTATIONS, Standing, expectations
from clusterprint.review.policy.find import Judging, Policies
from clusterprint.review.policy.names import FORBIDDABLE, covers
from clusterprint.review.policy.read import ReadPolicy
from clusterprint.review.policy.types import Limits
from clusterprint.validate import wording
from clusterprint.words import amount, did_you_mean

_LIMITS = tuple(Limits.__struct_fields__)


_ALLOWABLE = (*FORBIDDABLE, *_LIMITS, *EXPECTATIONS)


def check_allowed(allowed: Sequence[str]) -> None:
    """Refuse names that no policy knows: a typo must not look like a permission."""
    for name in allowed:
        if name not in _ALLOWABLE:
            meant = wording.closest(name, _ALLOWABLE)
            help_text = did_you_mean(meant and repr(meant)) or f"known names: {', '.join(_ALLOWABLE)}"
            raise UsageError(f"--allow {name}: no policy knows this name; {help_text}")


class Labelled(NamedTuple):
    """The permissions by labels of a pull request, and messages about labels that permit nothing."""

    allowed: tuple[str, ...]
    notes: tuple[str, ...]


def read_labels(labels: Sequence[str], prefix: str) -> Labelled:
    """The labels that begin with a prefix, without it.

    A mistyped label allows nothing, and is a note rather than wrong usage: whoever sets a label sees the
    report, not the log of a job.
    """
    named = [label.removeprefix(prefix) for label in labels if prefix and label.startswith(prefix)]
    notes = []
    for name in named:
        if name not in _ALLOWABLE:
            meant = wording.closest(name, _ALLOWABLE)
            help_text = did_you_mean(meant and f"{prefix}{meant}") or f"known names: {', '.join(_ALLOWABLE)}"
            notes.append(
                f"The label {prefix}{name} allows nothing, because no policy knows {name!r}; {help_text}"
            )
    return Labelled(tuple(name for name in named if name in _ALLOWABLE), tuple(notes))


class Machinery(NamedTuple):
    """The machines of one cluster on both sides, and the blueprints that ask for them.

    `is_compared` is False when one side could not be read: then it has no machines here. `expected` is the
    cluster as it will stand, if the change adds or changes it.
    """

    files: tuple[str, ...]
    before: Sequence[Machines]
    after: Sequence[Machines]
    is_compared: bool = True
    expected: Standing | None = None


class Judge(NamedTuple):
    """The policies for a change, and what people allowed for it, all that `labelled` names by labels.

    With a prefix of labels, labels are the way out: who reads a comment on a pull request can give no option.
    """

    policies: Policies = Policies()
    allowed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    labelled: tuple[str, ...] = ()
    label_prefix: str = ""

    def way(self, name: str) -> str:
        """A permission: an option, or a label."""
        return f"label {self.label_prefix}{name}" if self.label_prefix else f"--allow {name}"

    @property
    def options(self) -> str:
        """The options that lead to this judgement, with a space before each."""
        named = f" --policy {shlex.quote(self.policies.named)}" if self.policies.named else ""
        return named + "".join(f" --allow {each}" for each in self.allowed)

    def judge(self, risks: Sequence[Risk], clusters: Mapping[str, Machinery]) -> Policy:
        """The verdicts of the policies, each about its clusters. A broken one has no findings."""
        policies = self.policies
        found = [each for one in policies.judging for each in self._of(one, risks, clusters)]
        if self.label_prefix:
            found = [replace(each, allowed_with=self._with(each.allowed_by)) for each in found]
        return Policy(
            files=tuple(each.read.file for each in policies.judging),
            version=policies.version,
            findings=tuple(found),
            allowed=self.allowed,
            changed=policies.changed,
        )

    def _with(self, name: str) -> str:
        return self.way(name) if name in self.labelled else ""

    def _of(
        self, one: Judging, risks: Sequence[Risk], clusters: Mapping[str, Machinery]
    ) -> Iterator[PolicyFinding]:
        if one.read.policy is None:
            return
        about = {name: each for name, each in clusters.items() if one.is_about(each.files)}
        yield from _forbidden(one.read, self, [each for each in enumerate(risks) if each[1].cluster in about])
        yield from _beyond(
            one.read,
            self,
            capacity(
                (machines for each in about.values() for machines in each.before),
                (machines for each in about.values() for machines in each.after),
            ),
            cost(
                {name: (each.before, each.after) for name, each in about.items()},
                [name for name, each in about.items() if not each.is_compared],
            ),
        )
        yield from expectations(
            one.read, [each.expected for each in about.values() if each.expected], self.allowed, self.way
        )


def _forbidden(read: ReadPolicy, judge: Judge, risks: Sequence[tuple[int, Risk]]) -> Iterator[PolicyFinding]:
    """One finding for each risk, under the first word that is about it."""
    names = read.policy.forbid if read.policy else ()
    for position, risk in risks:
        for index, name in enumerate(names):
            if covers(name, risk):
                lifted = next((each for each in judge.allowed if each == name or covers(each, risk)), "")
                line, column = _at(read.document, ("forbid", index))
                yield PolicyFinding(
                    file=read.file,
                    rule=name,
                    message=f"{risk.cluster}: {risk.message}" if risk.cluster else risk.message,
                    help=f"if intended: {judge.way(risk.name)}",
                    line=line,
                    column=column,
                    allowed_by=lifted,
                    addresses=risk.addresses,
                    risk=position,
                )
                break


def _beyond(read: ReadPolicy, judge: Judge, rows: Sequence[Capacity], money: Cost) -> Iterator[PolicyFinding]:
    limits = read.policy.limits if read.policy else Limits()
    more = _more(rows, money)
    for name, found in more.items():
        limit = getattr(limits, name)
        if limit is not UNSET and found > limit:
            message = f"{in_words(name, found, more=True)}, and the policy allows {amount(limit)}"
            yield _limit(read, name, message, judge)
    if limits.unknown_cost == "forbid" and money.per_hour is None:
        yield _limit(read, "unknown_cost", "the cost of the change is not known", judge)


def _more(rows: Sequence[Capacity], money: Cost) -> dict[str, float]:
    """The capacity that the change adds, at the limits of autoscaling."""

    def accelerators(unit: str) -> float:
        of_unit = (row for row in rows if row.unit == unit)
        return sum(row.after.most_accelerators - row.before.most_accelerators for row in of_unit)

    return {
        "gpus": accelerators("GPU"),
        "tpu_chips": accelerators("TPU chip"),
        "nodes": sum(row.after.most_nodes - row.before.most_nodes for row in rows),
        "cost_per_hour": money.known_per_hour,
        "cost_per_month": round(money.known_per_hour * HOURS_OF_A_MONTH, 2),
    }


def _limit(read: ReadPolicy, name: str, message: str, judge: Judge) -> PolicyFinding:
    line, column = _at(read.document, ("limits", name))
    return PolicyFinding(
        file=read.file,
        rule=f"limits.{name}",
        message=message,
        help=f"ask for less at once, or allow it: {judge.way(name)}",
        line=line,
        column=column,
        allowed_by=name if name in judge.allowed else "",
    )


def _at(document: Document | None, keys: Keys) -> tuple[int, int]:
    """Where the policy says it."""
    span = document.label(keys).span if document else None
    return (span.line, span.column) if span else (1, 1)
