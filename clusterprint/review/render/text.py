"""A report for a terminal: everything, in the order of its weight."""

from collections.abc import Iterator

from clusterprint.render.visible import visible
from clusterprint.review.model import Change, Cluster, Report, ValueChange
from clusterprint.review.model.terms import in_words
from clusterprint.review.render import judged, phrases
from clusterprint.words import in_units, of_units

_DIFF_SIGNS = {"same": " ", "added": "+", "removed": "-", "gap": "."}


def render(report: Report) -> str:
    """All sections that have something to say."""
    parts = [
        [f"{report.verdict.line}"],
        [_source(report), *_judges(report)],
        list(_risks(report)),
        list(_policy(report)),
        list(_capacity(report)),
        list(_cost(report)),
        list(_quota(report)),
        _listed(
            "Scenarios, by a model",
            tuple(
                f"{row.cluster}, {row.scenario}: {phrases.scenario(row, '->')}" for row in report.scenarios
            ),
        ),
        _listed("Proof", tuple(f"{row.cluster}: {phrases.proof(row)}" for row in report.proofs)),
        *(list(_cluster(each)) for each in report.clusters if each.status != "unchanged" or each.notes),
        list(_terraform(report)),
        list(_problems(report)),
        _listed("To reproduce", report.commands),
        _listed("Notes", report.notes),
    ]
    return "\n\n".join("\n".join(visible(line) for line in part) for part in parts if part) + "\n"


def _source(report: Report) -> str:
    return "; ".join(
        f"{each.base} -> {each.head}" if each.sort == "synthesized" else f"Terraform plan {each.head}"
        for each in report.sources
    )


def _listed(title: str, lines: tuple[str, ...]) -> list[str]:
    return [title, *(f"  {line}" for line in lines)] if lines else []


def _capacity(report: Report) -> Iterator[str]:
    rows = [row for row in report.capacity if row.before != row.after]
    if not rows:
        return
    yield "Capacity"
    for row in rows:
        amounts = [(phrases.nodes(row.before), of_units(phrases.nodes(row.after), "nodes"))]
        if row.unit != "node":
            after = of_units(phrases.accelerators(row.after), f"{row.unit}s")
            amounts.append((phrases.accelerators(row.before), after))
        is_new = not row.before.most_nodes
        change = ", ".join(after if is_new else f"{before} -> {after}" for before, after in amounts)
        yield f"  {row.family} ({in_words(row.model)}): {'new, ' if is_new else ''}{change}"


def _cost(report: Report) -> Iterator[str]:
    cost = report.cost
    rows = [row for row in cost.rows if phrases.is_changing(row)]
    if not rows and cost.per_hour is not None:
        return
    total = phrases.total(cost)
    yield f"Cost: {total}" if total else "Cost"
    for row in rows:
        money = f"{phrases.dollars(row.before)} -> {phrases.dollars(row.after)} per hour"
        yield f"  {row.cluster}: {row.what} ({in_words(row.model)}): {money} ({phrases.price(row)})"
    yield f"  {cost.note}"


def _quota(report: Report) -> Iterator[str]:
    if report.quota:
        yield "Quota, at the most that autoscaling allows"
    for row in report.quota:
        amount = f"{row.before:,} -> {in_units(row.after, row.unit)}"
        place = row.region or "a region that is not known"
        yield f"  {phrases.metric(row)} in {phrases.owner(row, report.quota)}{place}: {amount}"


def _judges(report: Report) -> Iterator[str]:
    yield judged.judges(report.policy)
    yield from report.policy.changed


def _risks(report: Report) -> Iterator[str]:
    if report.risks:
        yield "Risks"
    said = judged.of_risks(report.policy)
    for group in judged.together(report.risks):
        first = group[0][1]
        if len(group) > 1:
            yield f"  {first.severity}: {judged.heading(group)}"
        for number, risk in group:
            place = f" [{phrases.where(risk.place)}]" if risk.place else ""
            told = f"{risk.message}{place}"
            yield (
                f"    {told}"
                if len(group) > 1
                else f"  {risk.severity}: {told} ({', '.join(judged.words(risk))})"
            )
            yield from (f"      {judged.judgement(each)}" for each in said.get(number, ()))
        if first.help:
            yield f"      {first.help}"


def _policy(report: Report) -> Iterator[str]:
    limits = judged.of_limits(report.policy)
    if limits:
        yield "Limits of the policy"
    for found in limits:
        at = f" [{phrases.where(found.place)}]" if found.place else ""
        yield f"  {found.message}{at}: {judged.judgement(found)}"
        if found.help and not found.allowed_by:
            yield f"      {found.help}"


def _cluster(cluster: Cluster) -> Iterator[str]:
    kind = f" ({cluster.kind})" if cluster.kind else ""
    yield f"Cluster {cluster.name}{kind}: {cluster.status}"
    yield from (f"  {note}" for note in cluster.notes)
    for cause in cluster.causes:
        yield f"  {phrases.where(cause.place)}: {cause.before or '(none)'} -> {cause.after or '(none)'}"
    for group in cluster.groups:
        yield f"  {group.idea}{f' {group.name}' if group.name else ''}"
        for change in group.changes:
            yield from (f"    {line}" for line in _change(change))
    for output in cluster.outputs:
        yield f"  output {output.name}: {phrases.value(output.before)} -> {phrases.value(output.after)}"


def _change(change: Change) -> Iterator[str]:
    forced = f", forced by {phrases.forced(change)}" if change.forced_by else ""
    came = f" (was {change.previous_address})" if change.previous_address else ""
    place = f" [{phrases.where(change.place)}]" if change.place else ""
    yield f"{phrases.sign(change)} {change.title}: {change.address}{came}{forced}{place}"
    if change.reason:
        yield f"    {change.reason}"
    if change.action == "added":
        return
    for value in change.values:
        yield from (f"    {line}" for line in _value(value))


def _value(value: ValueChange) -> Iterator[str]:
    yield f"{value.path}: {phrases.value(value.before)} -> {phrases.value(value.after)}"
    for line in value.diff:
        yield f"  {_DIFF_SIGNS[line.sign]} {line.text}"


def _terraform(report: Report) -> Iterator[str]:
    if report.checks:
        yield "Checks of Terraform"
    for check in report.checks:
        yield f"  {check.status}: {check.address}{f': {check.messages[0]}' if check.messages else ''}"
    if report.drift:
        yield "Changed outside of Terraform"
    for change in report.drift:
        yield from (f"  {line}" for line in _change(change))


def _problems(report: Report) -> Iterator[str]:
    if report.problems:
        yield "Diagnostics"
    if before := phrases.as_before(report.problems):
        yield f"  {before}"
    for found in report.problems:
        if phrases.is_as_before(found):
            continue
        at = f"{found.file}:{found.line}:{found.column}" if found.line else found.file
        side = (
            " (earlier version)" if found.side == "base" else " (as before)" if found.side == "both" else ""
        )
        yield f"  {found.severity}[{found.code}] {at}: {found.message}{side}"
        if found.help:
            yield f"      {found.help}"
