"""What a semantic rule is.

A rule is a generator over findings, for one type of part:

    @rule("GCP003", severity=Severity.ERROR, source="Google: GPU machine types")
    def spot_with_reservation(capacity: Capacity, context: Context) -> Iterator[Finding]:
        \"\"\"Machines cannot be spot and come from a reservation.

        Why it matters, in a sentence or two.

        What to do about it.
        \"\"\"

It is called once for every part of that type, so a mistake in one part never hides another's.
"""

from collections.abc import Callable, Iterator
from inspect import getdoc
from typing import NamedTuple, get_type_hints

from clusterprint.diagnostic import Label, Severity
from clusterprint.topic import Topic


class Finding(NamedTuple):
    """What a rule has to say: a message, the place, other places that take part, and the way out."""

    message: str
    place: Label
    also: tuple[Label, ...] = ()
    help: str = ""


Check = Callable[..., Iterator[Finding]]


class Rule(NamedTuple):
    """A rule: its documentation, what it is about (a type of part, or the fleet), and the check.

    A `firm` rule cannot be ignored: what it finds cannot be built at all.
    """

    topic: Topic
    subject: type
    check: Check
    firm: bool


def rule(code: str, *, severity: Severity, source: str, firm: bool = False) -> Callable[[Check], Rule]:
    """Make a rule of a function; `source` is the title of what the rule rests on.

    The function's name is the bad pattern in words; its docstring says what, why and what to do, in
    three paragraphs; the annotation of its first parameter says what it is about.
    """

    def make(check: Check) -> Rule:
        subject = next(iter(get_type_hints(check).values()))
        return Rule(Topic(code, check.__name__, severity, getdoc(check) or "", source), subject, check, firm)

    return make
