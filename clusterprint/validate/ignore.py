"""Comments that silence a problem: `# clusterprint: ignore[GCP004] reason`."""

from clusterprint import rules
from clusterprint.diagnostic import Diagnostic, Label
from clusterprint.document import Document, Ignore
from clusterprint.validate import words
from clusterprint.validate.codes import FIRM_IGNORE, UNUSED_IGNORE


def apply(document: Document, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Leave out what the document's comments silence, and report comments that silence nothing."""
    if not document.ignores:
        return diagnostics
    soft = rules.soft_codes()
    kept = []
    used: set[tuple[Ignore, str]] = set()
    for diagnostic in diagnostics:
        silencing = [comment for comment in document.ignores if _silences(comment, diagnostic, document.file)]
        used.update((comment, diagnostic.code) for comment in silencing)
        if not silencing or diagnostic.code not in soft:
            kept.append(diagnostic)
    for comment in document.ignores:
        kept += [
            _complaint(document, comment, code, soft, used)
            for code in comment.codes
            if code not in soft or (comment, code) not in used
        ]
    return kept


def _silences(comment: Ignore, diagnostic: Diagnostic, file: str) -> bool:
    """Whether a comment names this code and speaks for a line that one of the labels begins on."""
    lines = {
        label.span.line for label in (diagnostic.place, *diagnostic.also) if label.span and label.file == file
    }
    return diagnostic.code in comment.codes and not lines.isdisjoint(comment.lines)


def _complaint(
    document: Document, comment: Ignore, code: str, soft: frozenset[str], used: set[tuple[Ignore, str]]
) -> Diagnostic:
    place = Label(document.file, comment.span)
    if code in soft:
        return Diagnostic(
            UNUSED_IGNORE.code,
            UNUSED_IGNORE.severity,
            f"this comment ignores {code}, but there is no such problem here",
            place,
            help="remove the comment, or move it to the line of the problem or the line above",
        )
    if (comment, code) in used:
        return Diagnostic(
            FIRM_IGNORE.code,
            FIRM_IGNORE.severity,
            f"{code} cannot be ignored: nothing can be built from a blueprint with this problem",
            place,
            help="fix the problem and remove the comment",
        )
    meant = words.closest(code, soft)
    return Diagnostic(
        UNUSED_IGNORE.code,
        UNUSED_IGNORE.severity,
        f"this comment ignores {code}, which is not the code of a rule",
        place,
        help=f"did you mean {meant}?" if meant else "`clusterprint explain` lists all codes",
    )
