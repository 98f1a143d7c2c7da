"""A report as a comment on a pull request: Markdown as GitHub and GitLab read it, below their limit.

What does not fit is folded, whole sections at a time, and the comment says what.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from clusterprint.review.model import PolicyFinding, Report, Risk
from clusterprint.review.model.terms import in_words
from clusterprint.review.render import judged, phrases
from clusterprint.review.render.markdown_changes import cluster_forms
from clusterprint.review.render.markdown_text import code, fence, prose, table
from clusterprint.words import counted, in_units, of_units

#: Marks the comment, so that the next run finds and updates it instead of adding another.
MARK = "<!-- clusterprint-review -->"

#: The longest comment that GitHub takes; bytes are counted, which no forge counts more strictly.
LIMIT = 65_536

_ICONS = {"nothing": "✅", "problems": "❌", "allowed": "⚠️", "forbidden": "⛔"}
_SEVERITIES = {"critical": "🔴 critical", "high": "🟠 high", "medium": "🟡 medium", "low": "⚪ low"}

# Room for the sentence that says what was folded.
_ROOM = 1_500
_NAMED = 12


class Section(NamedTuple):
    """A part of the comment in several forms, from the fullest to the shortest.

    `forms` are pairs of text and what this form leaves out. Sections of a larger `weight` are folded first.
    """

    forms: tuple[tuple[str, str], ...]
    weight: int


def render(report: Report, limit: int = LIMIT) -> str:
    """The comment."""
    sections = list(_sections(report))
    chosen = _fitting(sections, limit - _ROOM)
    forms = [section.forms[form] for section, form in zip(sections, chosen, strict=True)]
    left_out = [name for (_, name), form in zip(forms, chosen, strict=True) if form]
    return "\n\n".join([MARK, *(text for text, _ in forms if text), *_folded(left_out)]) + "\n"


def _fitting(sections: list[Section], room: int) -> list[int]:
    """The fullest form of each section with which all fit; the heaviest and longest give way first."""
    sizes = [[len(text.encode()) + 2 for text, _ in section.forms] for section in sections]
    chosen = [0] * len(sections)
    total = sum(each[0] for each in sizes)
    waiting = [
        (-section.weight, -sizes[number][0], number)
        for number, section in enumerate(sections)
        if len(section.forms) > 1
    ]
    heapify(waiting)
    while total > room and waiting:
        weight, size, number = heappop(waiting)
        chosen[number] += 1
        total += size + sizes[number][chosen[number]]
        if chosen[number] + 1 < len(sizes[number]):
            heappush(waiting, (weight, -sizes[number][chosen[number]], number))
    return chosen


def _folded(left_out: list[str]) -> list[str]:
    if not left_out:
        return []
    named = left_out[:_NAMED]
    if len(left_out) > _NAMED:
        named.append(f"{len(left_out) - _NAMED} more")
    names = prose("; ".join(named))
    help_text = "`clusterprint review --format html` shows everything."
    return [f"> **Folded** to stay below {LIMIT:,} characters: {names}. {help_text}"]


def _sections(report: Report) -> Iterator[Section]:
    yield _always(_heading(report))
    yield _or_less(_risks(report), f"**Risks:** {prose(_risk_counts(report))}", "the table of risks", 2)
    yield _or_less(_policy(report), "", "the findings of the policy", 1)
    yield _or_less(_capacity(report), "", "capacity", 3)
    yield _or_less(_cost(report), "", "cost", 4)
    yield _or_less(_quota(report), "", "quota", 5)
    yield _or_less(_scenarios(report), "", "scenarios", 5)
    yield _or_less(_proofs(report), "", "proof", 5)
    clusters = [each for each in report.clusters if each.status != "unchanged" or each.notes]
    if clusters:
        yield _always("### Changes")
    for cluster in clusters:
        yield Section(cluster_forms(cluster), 6)
    yield _or_less(_terraform(report), "", "drift and checks of Terraform", 3)
    yield _or_less(_problems(report), _problem_counts(report), "the diagnostics", 5)
    yield _or_less(_notes(report), "", "notes", 2)
    yield _or_less(_commands(report), "", "the commands", 1)


def _always(text: str) -> Section:
    return Section(((text, ""),), 0)


def _or_less(text: str, less: str, name: str, weight: int) -> Section:
    return Section(((text, ""), (less, name)), weight) if text else _always("")


def _heading(report: Report) -> str:
    verdict = report.verdict
    lines = [f"## {_ICONS[verdict.level]} {prose(verdict.line)}", ""]
    worst = [risk for risk in report.risks if risk.severity in ("critical", "high")]
    if worst:
        more = f" (and {len(worst) - 1} more below)" if len(worst) > 1 else ""
        lines += ["> [!CAUTION]", f"> {prose(worst[0].message)}{more}", ""]
    for source in report.sources:
        if source.sort == "synthesized":
            lines.append(
                f"{code(source.base)} → {code(source.head)}, compared without Terraform or credentials"
            )
        else:
            lines.append(
                f"Terraform plan {code(source.head)}{f': {prose(source.note)}' if source.note else ''}"
            )
    lines += ["", f"{prose(judged.judges(report.policy))}"]
    lines += [f"> {prose(each)}" for each in report.policy.changed]
    return "\n".join(lines).rstrip()


def _risk_counts(report: Report) -> str:
    severities = [each.severity for each in report.risks]
    return ", ".join(f"{severities.count(each)} {each}" for each in dict.fromkeys(severities))


def _risks(report: Report) -> str:
    if not report.risks:
        return ""
    said = judged.of_risks(report.policy)
    rows = [_risk_row(group, said) for group in judged.together(report.risks)]
    return "### Risks\n\n" + table(("", "What", "Where", "Name"), rows)


Said = Mapping[int, Sequence[PolicyFinding]]


def _risk_row(group: Sequence[judged.Numbered], said: Said) -> tuple[str, str, str, str]:
    first = group[0][1]
    where = code(phrases.line_of(first.place)) if first.place else ""
    what = _risk(*group[0], said)
    if len(group) > 1:
        # In a cell, tags stand within a line, and what is between them is Markdown.
        each = "<br>".join(
            _risk(number, risk, said) + (f" {code(phrases.line_of(risk.place))}" if risk.place else "")
            for number, risk in group
        )
        what, where = f"<details><summary>{prose(judged.heading(group))}</summary>{each}</details>", ""
    what += f"<br><sub>{prose(first.help)}</sub>" if first.help else ""
    return _SEVERITIES[first.severity], what, where, ", ".join(map(code, judged.words(first)))


def _risk(number: int, risk: Risk, said: Said) -> str:
    """A risk, and what policies say of it."""
    return prose(risk.message) + "".join(f"<br>{_judgement(each)}" for each in said.get(number, ()))


def _judgement(found: PolicyFinding) -> str:
    icon = "✅" if found.allowed_by else "⛔"
    return f"{icon} <sub>{_to_type(judged.judgement(found))}</sub>"


# What somebody types to allow a finding: an option, or a label.
_WAY = re.compile(r"(--allow [\w.]+|(?<=\blabel )[^\s`()|;]+)")


def _to_type(text: str) -> str:
    """Text whose labels and options are code, so that they can be copied."""
    return "".join(code(part) if number % 2 else prose(part) for number, part in enumerate(_WAY.split(text)))


def _policy(report: Report) -> str:
    rows = [
        (
            "✅" if found.allowed_by else "⛔",
            f"{prose(found.message)}"
            + (f" {code(phrases.where(found.place))}" if found.place else "")
            + f"<br>{_judgement(found)}"
            + (f"<br><sub>{_to_type(found.help)}</sub>" if not found.allowed_by else ""),
        )
        for found in judged.of_limits(report.policy)
    ]
    return "### Limits of the policy\n\n" + table(("", "What"), rows) if rows else ""


def _capacity(report: Report) -> str:
    rows = [
        (
            prose(row.family),
            in_words(row.model),
            f"{phrases.nodes(row.before)} → {phrases.nodes(row.after)}",
            ""
            if row.unit == "node"
            else f"{phrases.accelerators(row.before)} → "
            + of_units(phrases.accelerators(row.after), f"{row.unit}s"),
            f"**{phrases.difference(row)}**" if phrases.difference(row) else "",
        )
        for row in report.capacity
        if row.before != row.after
    ]
    if not rows:
        return ""
    return "### Capacity\n\n" + table(("Family", "Obtained", "Nodes", "Accelerators", "Change"), rows)


def _cost(report: Report) -> str:
    cost = report.cost
    rows = [
        (
            prose(row.cluster),
            code(row.what),
            in_words(row.model),
            phrases.dollars(row.before),
            phrases.dollars(row.after),
            f"<sub>{prose(phrases.price(row))}</sub>",
        )
        for row in cost.rows
        if phrases.is_changing(row)
    ]
    if not rows and cost.per_hour is not None:
        return ""
    heading = ("Cluster", "Machine", "Obtained", "Before, per hour", "After, per hour", "Price")
    total = phrases.total(cost)
    parts = [
        "### Cost",
        f"**{prose(total)}**" if total else "",
        table(heading, rows) if rows else "",
        f"<sub>{prose(cost.note)}</sub>",
    ]
    return "\n\n".join(filter(None, parts))


def _quota(report: Report) -> str:
    rows = [
        (
            code(phrases.metric(row)),
            prose(phrases.owner(row, report.quota) + row.region),
            f"{row.before:,} → {in_units(row.after, row.unit)}",
        )
        for row in report.quota
    ]
    if not rows:
        return ""
    asked = "<sub>At the most that autoscaling allows; without reservations, which hold theirs.</sub>"
    return "### Quota\n\n" + table(("Metric", "Region", "Needed"), rows) + f"\n\n{asked}"


def _scenarios(report: Report) -> str:
    rows = [
        (prose(row.cluster), prose(row.scenario), prose(phrases.scenario(row))) for row in report.scenarios
    ]
    if not rows:
        return ""
    return "### Scenarios, by a model\n\n" + table(("Cluster", "Scenario", "Loss"), rows)


def _terraform(report: Report) -> str:
    parts = []
    if report.checks:
        rows = [
            (prose(each.status), code(each.address), prose("; ".join(each.messages)))
            for each in report.checks
        ]
        parts.append("### Checks of Terraform\n\n" + table(("Result", "Check", "Message"), rows))
    if report.drift:
        rows = [
            (
                phrases.ACTIONS[each.action],
                code(each.address),
                code(", ".join(value.path for value in each.values)),
            )
            for each in report.drift
        ]
        parts.append("### Changed outside of Terraform\n\n" + table(("", "Resource", "Arguments"), rows))
    return "\n\n".join(parts)


def _problems(report: Report) -> str:
    if not report.problems:
        return ""
    sides = {"base": "gone with this change", "head": "new", "both": "as before"}
    rows = [
        (
            found.severity,
            code(found.code),
            code(f"{found.file}:{found.line}:{found.column}" if found.line else found.file),
            prose(found.message) + (f"<br><sub>{prose(found.help)}</sub>" if found.help else ""),
            sides[found.side],
        )
        for found in report.problems
        if not phrases.is_as_before(found)
    ]
    before = prose(phrases.as_before(report.problems))
    listed = table(("", "Code", "Where", "What", ""), rows) if rows else ""
    return "\n\n".join(filter(None, ["### Diagnostics", listed, before]))


def _problem_counts(report: Report) -> str:
    errors = sum(each.severity == "error" for each in report.problems)
    warnings = len(report.problems) - errors
    return f"**Diagnostics:** {counted(errors, 'error')}, {counted(warnings, 'warning')}"


def _notes(report: Report) -> str:
    return "\n".join(f"- {prose(note)}" for note in report.notes)


def _commands(report: Report) -> str:
    if not report.commands:
        return ""
    block = fence("\n".join(report.commands), "console")
    return f"<details><summary>To reproduce</summary>\n\n{block}\n\n</details>"


def _proofs(report: Report) -> str:
    rows = [(prose(row.cluster), prose(phrases.proof(row))) for row in report.proofs]
    return "### Proof\n\n" + table(("Cluster", "Evidence"), rows) if rows else ""
