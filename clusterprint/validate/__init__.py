"""Step 2: Document -> Blueprint, and everything that is wrong with it in one go.

`validate` looks at one document; `validate_together` at several, as one fleet. Neither needs a network,
credentials, Node or Terraform, and neither ever loads the engine.

The published schema is the validator, so editors and the command line cannot disagree. It is draft-07 with
`if kind then` a closed definition and every part in its place: the style for which validators and editors
report the right errors. Conditions between fields are rules or relations; of these, the schema only has which
keys belong to some parts of a type (`variants`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from clusterprint import rules, wishes
from clusterprint.blueprint import blueprint_type
from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.diagnostic import Diagnostic, Label, Severity
from clusterprint.document import Document
from clusterprint.edits import removed
from clusterprint.rules import Context, Fleet, Member
from clusterprint.validate import ignore
from clusterprint.validate.codes import RULE_CRASHED
from clusterprint.validate.convert import convert
from clusterprint.validate.heading import read_heading
from clusterprint.validate.schema import check_schema
from clusterprint.wishes import lock


class Validated(NamedTuple):
    """A document, the blueprint made of it (None if its kind is unknown), and what is wrong with it.

    With an error among the diagnostics, parts of the blueprint may be `BROKEN`.
    """

    document: Document
    blueprint: Blueprint | None
    diagnostics: list[Diagnostic]
    context: Context | None = None
    crashed: bool = False


def validate(document: Document) -> Validated:
    """Check one blueprint completely. The document's data is a mapping."""
    return validate_together([document])[0]


def validate_together(documents: Iterable[Document]) -> list[Validated]:
    """Check several blueprints, each by itself and all as one fleet; one result for each, in order."""
    return check_fleet([check_alone(document) for document in documents])


def check_fleet(results: Sequence[Validated]) -> list[Validated]:
    """Add what is wrong between blueprints to what `check_alone` found, and heed ignore comments."""
    fleet = Fleet(
        tuple(Member(each.blueprint, each.context) for each in results if each.context and each.blueprint)
    )
    # One blueprint is in nobody's way.
    fleet_rules = rules.fleet_rules() if len(fleet.members) > 1 else ()
    found, crashed = _collected(rules.run(fleet_rules, [fleet], None), [fleet], None)
    by_file: dict[str, list[Diagnostic]] = defaultdict(list)
    for diagnostic in found:
        by_file[diagnostic.place.file].append(diagnostic)
    finished = []
    for each in results:
        # What is wrong in a file of defaults is wrong with all blueprints that it is laid under.
        of_fleet = [problem for file in each.document.files for problem in by_file[file]]
        kept = ignore.apply(each.document, [*each.diagnostics, *of_fleet])
        finished.append(each._replace(diagnostics=in_order(kept), crashed=each.crashed or crashed))
    return finished


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Diagnostics in the order of the file, each once."""
    return sorted(dict.fromkeys(diagnostics), key=lambda each: each.order)


def check_alone(document: Document) -> Validated:
    """Check one blueprint by itself, with each wish for capacity; ignore comments are not heeded yet."""
    if document.said is not None or not (wished := wishes.groups(document)):
        return _check_one(document)
    numbers = lock.standing(document)
    checked = _check_one(lock.as_it_stands(document))
    # What is wrong anyway is not wrong with a wish.
    seen = {(each.code, each.place) for each in checked.diagnostics}
    for group, number, other in _alternatives(document, wished, numbers):
        label = document.label(group.place_of(number), f"with this wish for the capacity of {group.name}")
        for each in _check_one(other).diagnostics:
            if each.severity is not Severity.NOTE and (each.code, each.place) not in seen:
                seen.add((each.code, each.place))
                checked.diagnostics.append(
                    each._replace(also=(*each.also, label), instead=None, over=None, removes="")
                )
    return checked


class Alternative(NamedTuple):
    """A blueprint with another wish for the capacity of a group than the one that counts."""

    group: wishes.Group
    number: int
    validated: Validated


def alternatives(document: Document) -> list[Alternative]:
    """The blueprint with each wish for capacity that does not count now, one group at a time."""
    document = document.said or document
    wished = wishes.groups(document)
    numbers = lock.standing(document) if wished else {}
    return [
        Alternative(group, number, _check_one(other))
        for group, number, other in _alternatives(document, wished, numbers)
    ]


def _alternatives(
    document: Document, wished: Sequence[wishes.Group], numbers: Mapping[str, int]
) -> Iterator[tuple[wishes.Group, int, Document]]:
    for group in wished:
        for number in range(len(group.wishes)):
            if number != numbers[group.name]:
                other = document
                for each in wished:
                    other = wishes.with_wish(
                        other, each, number if each.name == group.name else numbers[each.name]
                    )
                yield group, number, other


def _check_one(document: Document) -> Validated:
    heading = read_heading(document)
    kind, data = heading.kind, heading.data
    if kind is None:
        return Validated(document, None, heading.diagnostics)
    # The heading was checked above, with better words than the schema has for it.
    schema = check_schema(document._replace(data=data), kind)
    blueprint, located = convert(blueprint_type(kind), data, schema.broken)
    context = Context(document, blueprint, located)
    parts = [each.part for each in located]
    outcomes = chain(
        rules.run(rules.rules_about(kind, parts), parts, context), rules.run_declared(kind, parts, context)
    )
    found, crashed = _collected(outcomes, parts, context)
    diagnostics = [*heading.diagnostics, *schema.diagnostics, *found]
    return Validated(document, blueprint, diagnostics, context, crashed)


def _collected(
    outcomes: Iterable[tuple[rules.Rule, rules.Finding] | rules.Crash],
    subjects: Sequence[Any],
    context: Context | None,
) -> tuple[list[Diagnostic], bool]:
    diagnostics = []
    crashed = False
    for outcome in outcomes:
        if isinstance(outcome, rules.Crash):
            crashed = True
            diagnostics.append(_crash(outcome, subjects, context))
            continue
        each, finding = outcome
        diagnostics.append(_told(each, finding, context))
    return diagnostics, crashed


def _told(each: rules.Rule, finding: rules.Finding, context: Context | None) -> Diagnostic:
    place = finding.removes
    edit = removed(context.document, place) if place and context else None
    return Diagnostic(
        each.code,
        each.severity,
        finding.message,
        finding.place,
        finding.also,
        finding.help,
        edit.text if edit else finding.instead or None,
        edit.span if edit else None,
        str(place[-1]) if place and edit else "",
    )


def _crash(crash: rules.Crash, subjects: Sequence[Any], context: Context | None) -> Diagnostic:
    each = crash.rule
    message = f"the rule {each.code} ({each.name}) failed: {type(crash.error).__name__}: {crash.error}"
    if context is None:
        context = subjects[0].members[0].context
    place: Label = context.at_key(context.blueprint)
    help_text = "this is a mistake in clusterprint, please report it; all other rules ran"
    return Diagnostic(RULE_CRASHED.code, RULE_CRASHED.severity, message, place, help=help_text)
