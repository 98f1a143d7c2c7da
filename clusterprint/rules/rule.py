"""The `rule` decorator, and the form of a semantic rule.

A rule is a generator over findings, for one type of part:

    @rule("GCP003", severity=Severity.ERROR)
    def spot_with_reservation(capacity: Capacity, context: Context) -> Iterator[Finding]:
        yield Finding(...)

Its documentation is in `docs.toml` of its folder. It is called once for every part of that type, so a mistake
in one part never hides another's. A rule that looks at the whole blueprint says so by
`Context[KubernetesBlueprint]`: it is asked about blueprints of that type only.
"""

from collections.abc import Callable, Iterator
from types import UnionType
from typing import Any, NamedTuple, get_args

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.diagnostic import Label, Severity
from clusterprint.document import Place
from clusterprint.explanation import Explanation
from clusterprint.rules import documentation


class Finding(NamedTuple):
    """A finding: a message, the place, other places that take part, and the help.

    `instead` is what to write at the place, where only one thing can be meant: `lint --fix` does so. It
    removes the entry of a map at the place `removes`.
    """

    message: str
    place: Label
    also: tuple[Label, ...] = ()
    help: str = ""
    instead: str | None = None
    removes: Place | None = None


Check = Callable[..., Iterator[Finding]]


class Rule(NamedTuple):
    """A rule: its code and name, what it is about (types of parts, or the fleet), and the check.

    `blueprint` is the type of blueprint that it can look at.
    A `firm` rule cannot be ignored: what it finds cannot be built at all.
    """

    code: str
    name: str
    severity: Severity
    subject: type | UnionType
    blueprint: type[Blueprint]
    check: Check
    firm: bool

    @property
    def topic(self) -> Explanation:
        """Its documentation."""
        return documentation.explanation(self.code, self.name, self.severity)


def rule(code: str, *, severity: Severity, firm: bool = False) -> Callable[[Check], Rule]:
    """Make a rule of a function, whose name is the bad pattern in words.

    The annotation of its first parameter says what it is about.
    """

    def make(check: Check) -> Rule:
        hints = check.__annotations__
        subject = next(iter(hints.values()))
        return Rule(code, check.__name__, severity, subject, _blueprint(hints), check, firm)

    return make


def _blueprint(hints: dict[str, Any]) -> type[Blueprint]:
    """The type of blueprint that a rule needs: what its subject is, or what its context says."""
    subject = next(iter(hints.values()))
    if isinstance(subject, type) and issubclass(subject, Blueprint):
        return subject
    return next(iter(get_args(hints.get("context"))), Blueprint)
