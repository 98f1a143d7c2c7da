"""Numbers: the few that matter most as tiles, and all of them as tables."""

from collections.abc import Iterable, Sequence

from clusterprint.review.model import Amount, Capacity, Cost, CostRow, ProofRow, QuotaRow, Report, ScenarioRow
from clusterprint.review.model.terms import in_words
from clusterprint.review.render.html.labels import (
    SEVERITIES,
    accelerators,
    becomes,
    dollars,
    nodes,
    span,
)
from clusterprint.review.render.html.markup import Content, Markup, join, tag
from clusterprint.review.render.html.parts import section, table
from clusterprint.review.render.phrases import metric, owner, proof, scenario, total
from clusterprint.words import of_units


def tiles(report: Report) -> Markup:
    """The few numbers that matter most."""
    made = [
        _tile(title, becomes(before, after) if before != after else after, under)
        for title, before, after, under in _totals(report.capacity)
    ]
    found = [(each, sum(risk.severity == each for risk in report.risks)) for each in SEVERITIES]
    worst = [tag("span", f"{count} {name}", class_=f"r-{name}") for name, count in found if count]
    made.append(
        _tile(
            "Risks",
            str(len(report.risks)) if report.risks else "none",
            join(worst, ", ") if worst else "found",
        )
    )
    if report.cost.rows and (report.cost.per_hour is not None or report.cost.known_per_hour):
        made.append(_cost_tile(report.cost))
    return tag("ul", *made, class_="tiles", aria_label="At a glance")


def _cost_tile(cost: Cost) -> Markup:
    if cost.per_hour is None:
        known = dollars(cost.known_per_hour, signed=True)
        why = "some clusters are not compared" if cost.not_compared else "some machines have no list price"
        return _tile("Cost per hour", f"{known} + ?", why)
    month = dollars(cost.per_month, signed=True)
    return _tile("Cost per hour", dollars(cost.per_hour, signed=True), f"{month} a month, indicative")


def _tile(title: str, figure: Content, under: Content) -> Markup:
    return tag(
        "li",
        tag("span", title, class_="what"),
        tag("span", figure, class_="figure"),
        tag("span", under, class_="under"),
    )


def _totals(rows: Sequence[Capacity]) -> Iterable[tuple[str, str, str, str]]:
    for unit, title in (("GPU", "GPUs"), ("TPU chip", "TPU chips")):
        mine = [row for row in rows if row.unit == unit]
        if mine:
            families = ", ".join(dict.fromkeys(row.family for row in mine))
            yield (
                title,
                _sum_accelerators(row.before for row in mine),
                _sum_accelerators(row.after for row in mine),
                families,
            )
    if rows:
        models = ", ".join(dict.fromkeys(in_words(row.model) for row in rows))
        yield "Nodes", _sum_nodes(row.before for row in rows), _sum_nodes(row.after for row in rows), models


def _sum_accelerators(amounts: Iterable[Amount]) -> str:
    found = list(amounts)
    return span(sum(each.accelerators for each in found), sum(each.most_accelerators for each in found))


def _sum_nodes(amounts: Iterable[Amount]) -> str:
    found = list(amounts)
    return span(sum(each.nodes for each in found), sum(each.most_nodes for each in found))


def capacity(rows: Sequence[Capacity]) -> Markup:
    """Accelerators and nodes, before and after."""
    if not rows:
        return Markup()
    body = [
        (
            each.family,
            in_words(each.model),
            ""
            if each.unit == "node"
            else _change(accelerators(each.before), accelerators(each.after), f"{each.unit}s"),
            _change(nodes(each.before), nodes(each.after), ""),
        )
        for each in rows
    ]
    return section("Capacity", table(("family", "sold as", "accelerators", "nodes"), body, "Capacity"))


def _change(before: str, after: str, unit: str) -> Content:
    held = of_units(after, unit) if unit else after
    return held if before == after else becomes(before, held)


def cost(found: Cost) -> Markup:
    """The cost, if known."""
    if not (found.rows or found.without_price or found.not_compared):
        return Markup()
    body = []
    for row in found.rows:
        same = row.before == row.after
        per_hour = dollars(row.after) if same else becomes(dollars(row.before), dollars(row.after))
        known = "; ".join(filter(None, (_price(row), row.why))) if row.price is not None else row.why
        body.append((row.cluster, row.what, in_words(row.model), per_hour, tag("small", known)))
    sum_ = total(found)
    head = ("cluster", "what", "sold as", "an hour", "price")
    return section(
        "Cost",
        tag("p", f"Together {sum_}.") if sum_ else None,
        table(head, body, "Cost") if body else None,
        tag("p", found.note, class_="note") if found.note else None,
    )


def quota(rows: Sequence[QuotaRow]) -> Markup:
    """How much of each quota is needed, where that changes."""
    if not rows:
        return Markup()
    body = [
        (metric(row), owner(row, rows) + row.region, _change(f"{row.before:,}", f"{row.after:,}", row.unit))
        for row in rows
    ]
    return section(
        "Quota",
        table(("metric", "region", "needed"), body, "Quota"),
        tag(
            "p",
            "At the most that autoscaling allows; without reservations, which hold theirs.",
            class_="note",
        ),
    )


def scenarios(rows: Sequence[ScenarioRow]) -> Markup:
    """The losses by scenarios, where they change."""
    if not rows:
        return Markup()
    body = [(row.cluster, row.scenario, scenario(row)) for row in rows]
    return section("Scenarios, by a model", table(("cluster", "scenario", "loss"), body, "Scenarios"))


def proofs(rows: Sequence[ProofRow]) -> Markup:
    """The evidence about clusters."""
    body = [(row.cluster, proof(row)) for row in rows]
    return section("Proof", table(("cluster", "evidence"), body, "Proof")) if rows else Markup()


def _price(row: CostRow) -> str:
    return f"{dollars(row.price)} each in {row.region}, {row.source}, {row.date}"
