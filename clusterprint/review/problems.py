"""The diagnostics of validate, told apart by the version that has them."""

from collections.abc import Iterable, Sequence

from clusterprint.diagnostic import Diagnostic, Severity
from clusterprint.masking import mask_thoroughly
from clusterprint.review.model import Problem


def problems(base: Iterable[Diagnostic], head: Sequence[Diagnostic]) -> tuple[Problem, ...]:
    """Those of the head in its order, then those that only the base had.

    The same code and message in the same file is the same problem, even if its line moved. Advice is
    for those who write blueprints: a review is about what is wrong.
    """
    base, head = ([each for each in side if each.severity is not Severity.NOTE] for side in (base, head))
    old = {_identity(each) for each in base}
    new = {_identity(each) for each in head}
    found = [_problem(each, "both" if _identity(each) in old else "head") for each in head]
    found += [_problem(each, "base") for each in base if _identity(each) not in new]
    return tuple(found)


def _identity(found: Diagnostic) -> tuple[str, str, str]:
    return found.code, found.message, found.place.file


def _problem(found: Diagnostic, side: str) -> Problem:
    span = found.place.span
    return Problem(
        severity=found.severity.value,  # type: ignore[arg-type] # a note is left out above
        code=found.code,
        message=mask_thoroughly(found.message),
        help=mask_thoroughly(found.help),
        file=found.place.file,
        line=span.line if span else None,
        column=span.column if span else None,
        side=side,  # type: ignore[arg-type]
    )
