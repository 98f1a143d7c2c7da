"""Comments that silence a problem: `# clusterprint: ignore[GCP004] reason`."""

from clusterprint import rules
from clusterprint.diagnostic import Diagnostic, Label
from clusterprint.document import Document, Ignore
from clusterprint.validate import wording
from clusterprint.validate.codes import FIRM_IGNORE, UNUSED_IGNORE
from clusterprint.words import did_you_mean
from clusterprint.words.guesses import Guesses


def apply(document: Document, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Leave out what the document's comments silence, and report comments that silence nothing."""
    said = [(part.file, each) for part in (document, *document.defaults) for each in part.ignores]
    if not said:
        return diagnostics
    soft = rules.soft_codes()
    meant = {(file, line, code) for file, each in said for line in each.lines for code in each.codes}
    kept = []
    used: set[tuple[str, int, str]] = set()
    for diagnostic in diagnostics:
        silenced = meant & _speaks_of(diagnostic)
        used |= silenced
        if not silenced or diagnostic.code not in soft:
            kept.append(diagnostic)
    guesses = Guesses(cutoff=wording.LIKELY, plain=wording.plain)
    # One in a file of defaults may be there for another blueprint.
    for comment in document.ignores:
        for code in comment.codes:
            is_used = any((document.file, line, code) in used for line in comment.lines)
            if code not in soft or not is_used:
                kept.append(_complaint(document, comment, code, is_used=is_used, guesses=guesses))
    return kept


def _speaks_of(diagnostic: Diagnostic) -> set[tuple[str, int, str]]:
    """The lines that one of the labels begins on, each with the code."""
    labels = (diagnostic.place, *diagnostic.also)
    return {(each.file, each.span.line, diagnostic.code) for each in labels if each.span}


def _complaint(
    document: Document, comment: Ignore, code: str, *, is_used: bool, guesses: Guesses
) -> Diagnostic:
    soft = rules.soft_codes()
    place = Label(document.file, comment.span)
    if code in soft:
        return Diagnostic(
            UNUSED_IGNORE.code,
            UNUSED_IGNORE.severity,
            f"this comment ignores {code}, but there is no such problem here",
            place,
            help="remove the comment, or move it to the line of the problem or the line above",
            # Another of its codes may well be needed.
            instead="" if len(comment.codes) == 1 else None,
        )
    if is_used:
        return Diagnostic(
            FIRM_IGNORE.code,
            FIRM_IGNORE.severity,
            f"{code} cannot be ignored: nothing can be built from a blueprint with this problem",
            place,
            help="fix the problem and remove the comment",
        )
    meant = guesses.closest(code, soft)
    return Diagnostic(
        UNUSED_IGNORE.code,
        UNUSED_IGNORE.severity,
        f"this comment ignores {code}, which is not the code of a rule",
        place,
        help=did_you_mean(meant) or "`clusterprint explain` lists all codes",
    )
