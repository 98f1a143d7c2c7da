"""Parts of a report in plain words, for all forms that people read. Nothing is escaped here."""

from collections import Counter
from collections.abc import Iterable, Sequence

from clusterprint.review.model import (
    Action,
    Amount,
    Capacity,
    Change,
    Cost,
    CostRow,
    Place,
    Problem,
    ProofRow,
    QuotaRow,
    ScenarioRow,
    Value,
)
from clusterprint.words import counted

ACTIONS: dict[Action, str] = {
    "added": "add",
    "changed": "change",
    "removed": "remove",
    "replaced": "replace",
    "moved": "move",
    "forgotten": "forget",
    "imported": "import",
}

#: The sign before a change, as Terraform writes it.
SIGNS: dict[Action, str] = {
    "added": "+",
    "changed": "~",
    "removed": "-",
    "replaced": "-/+",
    "moved": ">",
    "forgotten": ".",
    "imported": "<",
}


def where(place: Place | None) -> str:
    """`blueprints/team.yaml:13 nodes.count`; what is only in the earlier version says so."""
    if place is None:
        return ""
    earlier = " (earlier version)" if place.side == "base" else ""
    return f"{place.file}:{place.line} {place.key}".rstrip() + earlier


def line_of(place: Place) -> str:
    """`blueprints/team.yaml:13`."""
    return f"{place.file}:{place.line}"


def sign(change: Change) -> str:
    """The sign of a change; `+/-` where the new one comes first."""
    return "+/-" if change.create_first else SIGNS[change.action]


def value(found: Value) -> str:
    """One side of a changed argument."""
    return {
        "known": found.text or '""',
        "absent": "(none)",
        "unknown": "(known after apply)",
        "sensitive": "(sensitive)",
    }[found.state]


def span(least: float, most: float) -> str:
    """`4`, or with autoscaling `0 to 4`."""
    return f"{least:g}" if least == most else f"{least:g} to {most:g}"


def nodes(amount: Amount) -> str:
    """How many nodes."""
    return span(amount.nodes, amount.most_nodes)


def accelerators(amount: Amount) -> str:
    """How many GPUs or chips."""
    return span(amount.accelerators, amount.most_accelerators)


def difference(row: Capacity) -> str:
    """How many accelerators (or nodes) more or less, with a sign; empty for none."""
    more = row.after.most_accelerators - row.before.most_accelerators
    if row.unit == "node":
        more = row.after.most_nodes - row.before.most_nodes
    return f"{more:+g}" if more else ""


def dollars(amount: float | None) -> str:
    """An amount of money; `unknown` for none."""
    return "unknown" if amount is None else f"${amount:,.2f}"


def more_dollars(amount: float | None) -> str:
    """A change of cost, with a sign."""
    if amount is None:
        return "unknown"
    return f"{'-' if amount < 0 else '+'}${abs(amount):,.2f}" if amount else "no change"


def price(row: CostRow) -> str:
    """Where a price is from, or why there is none."""
    if row.price is None:
        return row.why
    notes = f"; {row.why}" if row.why else ""
    return f"${row.price:,.2f} each in {row.region}, {row.source}, seen {row.date}{notes}"


def scenario(row: ScenarioRow, arrow: str = "→") -> str:
    """A loss by a scenario: `12.4 → 0 hours of work lost`."""
    before = "" if row.before is None else f"{row.before:,g} {arrow} "
    return f"{before}{row.after:,g} {row.measure}"


def proof(row: ProofRow) -> str:
    """The evidence about a cluster: `main changed since evidence/a.dsse.json (2026-12-01, key 9f86d081)`."""
    if not row.evidence:
        return "no evidence that it was created in a real cloud"
    by = f"{row.evidence} ({row.day}, {row.key if ':' in row.key else f'key {row.key}'})"
    if not row.changed:
        return f"proven by {by}"
    rest = f"; as proven: {', '.join(row.proven)}" if row.proven else ""
    return f"{', '.join(row.changed)} changed since {by}{rest}"


def metric(row: QuotaRow) -> str:
    """The metric of a quota with what narrows it down: `GPUS_PER_GPU_FAMILY (gpu_family=NVIDIA_H200)`."""
    return f"{row.metric} ({row.dimension})" if row.dimension else row.metric


def owner(row: QuotaRow, among: Sequence[QuotaRow]) -> str:
    """The project or subscription of a quota, with a comma, where a report is about several of them."""
    several = len({each.owner for each in among}) > 1
    return f"{row.owner}, " if several and row.owner else ""


def total(cost: Cost) -> str:
    """The change of cost in a sentence, if known; empty if nothing of it is."""
    if cost.per_hour is not None:
        return f"{more_dollars(cost.per_hour)} per hour, {more_dollars(cost.per_month)} per month"
    if cost.known_per_hour:
        known = "could be compared" if cost.not_compared else "has a list price"
        return f"{more_dollars(cost.known_per_hour)} per hour for what {known}"
    return ""


def as_before(problems: Iterable[Problem]) -> str:
    """Warnings that both versions have, counted; empty for none."""
    codes = Counter(each.code for each in problems if is_as_before(each))
    if not codes:
        return ""
    told = ", ".join(f"{number} x {code}" if number > 1 else code for code, number in sorted(codes.items()))
    return f"{counted(codes.total(), 'warning')} as before ({told}): clusterprint validate shows them"


def is_as_before(problem: Problem) -> bool:
    """Whether a problem is a warning that the change has nothing to do with."""
    return problem.side == "both" and problem.severity == "warning"


def is_changing(row: CostRow) -> bool:
    """Whether a row is about a number of machines that changes."""
    return row.before != row.after if row.price is not None else bool(row.why)


def forced(change: Change) -> str:
    """The reason of a replacement."""
    return ", ".join(each.path for each in change.forced_by)
