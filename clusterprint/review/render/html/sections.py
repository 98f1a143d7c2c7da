"""The parts of the page beside the clusters: what a reviewer reads first, and what is looked up."""

from collections.abc import Sequence

from clusterprint.review.model import PolicyFinding, Problem, Report, Risk
from clusterprint.review.render.html.changes import change
from clusterprint.review.render.html.markup import Markup, join, tag
from clusterprint.review.render.html.parts import section
from clusterprint.review.render.html.words import (
    LEVELS,
    counts,
    place,
)
from clusterprint.review.render.words import count

_FEW = 6  # addresses that are listed without folding


def verdict(report: Report) -> Markup:
    """What the answer is, and what it rests on."""
    level = report.verdict.level
    within = " within policy" if level == "allowed" and report.policy.file else ""
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


def risks(found: Sequence[Risk]) -> Markup:
    """What to think about before merging, worst first."""
    return section("Risks", tag("ol", *map(_risk, found), class_="cards")) if found else Markup()


def _risk(risk: Risk) -> Markup:
    about = tag(
        "span",
        f"{risk.sort.replace('_', ' ')}{f' in {risk.cluster}' if risk.cluster else ''}",
        class_="about",
    )
    return tag(
        "li",
        tag("p", tag("b", risk.severity, class_="severity"), about, place(risk.place), class_="line"),
        tag("p", risk.message, class_="message"),
        tag("p", risk.help, class_="help") if risk.help else None,
        _addresses(risk.addresses),
        tag("p", "in a policy: ", tag("code", risk.name), class_="aside"),
        class_=f"card r-{risk.severity}",
    )


def _addresses(addresses: Sequence[str]) -> Markup:
    if not addresses:
        return Markup()
    items = tag("ul", *(tag("li", tag("code", each)) for each in addresses), class_="plain")
    if len(addresses) <= _FEW:
        return items
    return tag("details", tag("summary", count(len(addresses), "resource")), items)


def policy(report: Report) -> Markup:
    """What the policy says, and what was lifted."""
    found = report.policy
    if not found.file:
        return Markup()
    lifted = (
        tag("p", "Allowed for this review: ", join([tag("code", each) for each in found.allowed], ", "))
        if found.allowed
        else None
    )
    cards = (
        tag("ol", *(_finding(each, found.file) for each in found.findings), class_="cards")
        if found.findings
        else None
    )
    none = None if found.findings else tag("p", "Nothing in it speaks against this change.")
    return section("Policy", tag("p", tag("code", found.file), class_="files"), none, lifted, cards)


def _finding(each: PolicyFinding, file: str) -> Markup:
    allowed = (
        tag("b", f"allowed by {each.allowed_by}", class_="severity")
        if each.allowed_by
        else tag("b", "forbidden", class_="severity")
    )
    return tag(
        "li",
        tag(
            "p",
            allowed,
            tag("code", each.rule),
            tag("code", f"{file}:{each.line}", class_="place"),
            class_="line",
        ),
        tag("p", each.message, class_="message"),
        tag("p", each.help, class_="help") if each.help else None,
        _addresses(each.addresses),
        class_=f"card {'r-low' if each.allowed_by else 'r-critical'}",
    )


def drift(report: Report) -> Markup:
    """What was changed outside of Terraform."""
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
    """What keeps a blueprint from being built."""
    return (
        section("Problems in blueprints", tag("ol", *map(_problem, found), class_="cards"))
        if found
        else Markup()
    )


def warnings(found: Sequence[Problem]) -> Markup:
    """What validate says beside that."""
    return section("Warnings", tag("ol", *map(_problem, found), class_="cards")) if found else Markup()


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
