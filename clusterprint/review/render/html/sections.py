"""The parts of the page beside the clusters: what a reviewer reads first, and what is looked up."""

from collections.abc import Mapping, Sequence

from clusterprint.review.model import PolicyFinding, Problem, Report, Risk
from clusterprint.review.render import judged
from clusterprint.review.render.html.changes import change
from clusterprint.review.render.html.labels import (
    LEVELS,
    counts,
    place,
)
from clusterprint.review.render.html.markup import Markup, join, tag
from clusterprint.review.render.html.parts import section
from clusterprint.review.render.phrases import as_before, is_as_before
from clusterprint.words import counted

_FEW = 6  # addresses that are listed without folding


def verdict(report: Report) -> Markup:
    """The verdict, and its source."""
    level = report.verdict.level
    within = " within policy" if level == "allowed" and report.policy.files else ""
    rests_on = [
        tag(
            "li",
            tag("code", each.base),
            " \N{RIGHTWARDS ARROW} ",
            tag("code", each.head),
            f" {each.note}" if each.note else None,
        )
        if each.sort == "synthesized"
        else tag("li", "Terraform plan ", tag("code", each.head), f" {each.note}" if each.note else None)
        for each in report.sources
    ]
    return tag(
        "header",
        tag("p", f"{LEVELS[level]}{within}", class_="level"),
        tag("h1", report.verdict.line),
        counts(report.verdict.counts),
        tag("ul", *rests_on, class_="sources", aria_label="Compared"),
        class_=f"verdict v-{level}",
    )


def risks(report: Report) -> Markup:
    """The risks, worst first, and the verdicts of policies on them."""
    said = judged.of_risks(report.policy)
    cards = [_together(group, said) for group in judged.together(report.risks)]
    return section("Risks", tag("ol", *cards, class_="cards")) if cards else Markup()


Said = Mapping[int, Sequence[PolicyFinding]]


def _together(group: Sequence[judged.Numbered], said: Said) -> Markup:
    """One card for a risk, or for many that are alike."""
    first = group[0][1]
    parts = [_risk(number, risk, said, alone=len(group) == 1) for number, risk in group]
    if len(group) == 1:
        return tag("li", *parts[0], _name(first), class_=f"card r-{first.severity}")
    verdicts = dict.fromkeys(judged.judgement(each) for number, _ in group for each in said.get(number, ()))
    return tag(
        "li",
        tag("p", tag("b", first.severity, class_="severity"), class_="line"),
        tag("p", judged.heading(group), class_="message"),
        tag("p", first.help, class_="help") if first.help else None,
        *(tag("p", told, class_="help") for told in verdicts),
        tag(
            "details",
            tag("summary", "each of them"),
            tag("ul", *(tag("li", *each) for each in parts), class_="plain"),
        ),
        class_=f"card r-{first.severity}",
    )


def _name(risk: Risk) -> Markup:
    words = [part for each in judged.words(risk) for part in (", ", tag("code", each))]
    return tag("p", "in a policy: ", *words[1:], class_="aside")


def _risk(number: int, risk: Risk, said: Said, *, alone: bool) -> list[Markup | None]:
    about = tag(
        "span",
        f"{risk.sort.replace('_', ' ')}{f' in {risk.cluster}' if risk.cluster else ''}",
        class_="about",
    )
    severity = tag("b", risk.severity, class_="severity") if alone else None
    return [
        tag("p", severity, about, place(risk.place), class_="line"),
        tag("p", risk.message, class_="message"),
        tag("p", risk.help, class_="help") if risk.help and alone else None,
        *(_judgement(each) for each in said.get(number, ()) if alone),
        _addresses(risk.addresses),
    ]


def _judgement(found: PolicyFinding) -> Markup:
    return tag("p", tag("b", judged.judgement(found)), class_="help")


def _addresses(addresses: Sequence[str]) -> Markup:
    if not addresses:
        return Markup()
    items = tag("ul", *(tag("li", tag("code", each)) for each in addresses), class_="plain")
    if len(addresses) <= _FEW:
        return items
    return tag("details", tag("summary", counted(len(addresses), "resource")), items)


def policy(report: Report) -> Markup:
    """Which policies judged, what they say of the change as a whole, and what was lifted."""
    found = report.policy
    limits = judged.of_limits(found)
    lifted = (
        tag("p", "Allowed for this review: ", join([tag("code", each) for each in found.allowed], ", "))
        if found.allowed
        else None
    )
    none = found.files and not found.findings
    return section(
        "Policy",
        tag("p", judged.judges(found), class_="files"),
        *(tag("p", each, class_="note") for each in found.changed),
        tag("p", "Nothing in it speaks against this change.") if none else None,
        lifted,
        tag("ol", *map(_finding, limits), class_="cards") if limits else None,
    )


def _finding(each: PolicyFinding) -> Markup:
    return tag(
        "li",
        tag("p", each.message, class_="message"),
        tag("p", place(each.place), class_="line") if each.place else None,
        _judgement(each),
        tag("p", each.help, class_="help") if each.help else None,
        class_=f"card {'r-low' if each.allowed_by else 'r-critical'}",
    )


def drift(report: Report) -> Markup:
    """The changes made outside of Terraform."""
    return section("Changed outside of Terraform", *map(change, report.drift)) if report.drift else Markup()


def checks(report: Report) -> Markup:
    """Checks of Terraform that did not pass."""
    items = [
        tag(
            "li",
            tag("b", each.status),
            " ",
            tag("code", each.address),
            f" in {each.stack}",
            *(tag("p", told) for told in each.messages),
        )
        for each in report.checks
    ]
    return section("Checks of Terraform", tag("ul", *items)) if items else Markup()


def problems(found: Sequence[Problem]) -> Markup:
    """The errors of a blueprint."""
    return (
        section("Problems in blueprints", tag("ol", *map(_problem, found), class_="cards"))
        if found
        else Markup()
    )


def warnings(found: Sequence[Problem]) -> Markup:
    """The other diagnostics of validate; those of the old version are folded."""
    if not found:
        return Markup()
    new = [each for each in found if not is_as_before(each)]
    old = [each for each in found if is_as_before(each)]
    return section(
        "Warnings",
        tag("ol", *map(_problem, new), class_="cards") if new else None,
        tag(
            "details",
            tag("summary", as_before(old)),
            tag("ol", *map(_problem, old), class_="cards"),
        )
        if old
        else None,
    )


def _problem(each: Problem) -> Markup:
    line = f":{each.line}" if each.line is not None else ""
    column = f":{each.column}" if each.column is not None and line else ""
    where = {"base": "before only", "head": "new", "both": "there before too"}[each.side]
    return tag(
        "li",
        tag(
            "p",
            tag("b", f"{each.severity} {each.code}", class_="severity"),
            tag("code", f"{each.file}{line}{column}", class_="place"),
            tag("span", where, class_="about"),
            class_="line",
        ),
        tag("p", each.message, class_="message"),
        tag("p", each.help, class_="help") if each.help else None,
        class_=f"card {'r-critical' if each.severity == 'error' else 'r-medium'}",
    )


def ending(report: Report) -> Markup:
    """How to see the same oneself, and what this report leaves open."""
    parts = []
    if report.notes:
        parts.append(section("Left open", tag("ul", *(tag("li", each) for each in report.notes))))
    if report.commands:
        parts.append(
            section(
                "The same on your machine",
                tag("pre", "\n".join(report.commands), tabindex=0, role="region", aria_label="Commands"),
            )
        )
    return join(parts)
